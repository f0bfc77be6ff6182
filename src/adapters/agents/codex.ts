import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'
import { LegacyLine } from './codex-legacy.ts'
import { classifyError } from './own-words.ts'
import { type Activity, eventReader, firstLine, type Reader, unknownUsage } from './reader.ts'

const count = z.number().nonnegative().max(1e12).catch(0)
const Item = z.union([
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('command_execution'), command: z.string() }),
  z.object({ type: z.literal('file_change'), changes: z.array(z.object({ path: z.string() })) }),
  z.object({ type: z.literal('error') }),
  z.object({ type: z.string().transform(() => 'other' as const) }),
])

const TurnUsage = z.object({ input_tokens: count, output_tokens: count }).nullish().catch(null)
const message = z.string().catch('')
const Event = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['item.started', 'item.completed']), item: Item }),
  z.object({ type: z.literal('turn.completed'), usage: TurnUsage }),
  z.object({ type: z.literal('turn.failed'), error: z.object({ message }).catch({ message: '' }) }),
  z.object({ type: z.literal('error'), message }),
  z.object({ type: z.literal('usage'), usage: TurnUsage }),
])
type Event = z.infer<typeof Event>
const OldEvent = LegacyLine.pipe(Event)

/** Reads `codex exec --json`, in its first format too. Input tokens include cached ones. It reports no cost, and reset times only as text. */
export function readCodex(now: () => number): Reader {
  let usage: Usage = unknownUsage
  let said = ''
  let denied = 0
  let finished = false
  let worked = false
  let failure: string | undefined
  let complaint: string | undefined
  let trouble: Fault | undefined
  // The first format does not report that the turn is over.
  let isOld = false

  function take(event: Event): Activity | undefined {
    trouble = event.type === 'error' ? parseTrouble(event.message) : undefined
    switch (event.type) {
      case 'item.started':
      case 'item.completed':
        return takeItem(event.item, event.type === 'item.started')
      case 'turn.completed':
        finished = true
        worked = true
        takeUsage(event.usage)
        return { says: 'turn completed', usage }
      case 'usage':
        takeUsage(event.usage)
        return undefined
      case 'turn.failed':
        failure = event.error.message || complaint || 'the turn failed'
        return undefined
      case 'error':
        complaint = event.message
        return { says: firstLine(event.message) }
    }
  }

  function takeUsage(used: z.infer<typeof TurnUsage>): void {
    if (used) usage = { tokens: used.input_tokens + used.output_tokens, costUsd: null }
  }

  function takeItem(item: z.infer<typeof Item>, isStart: boolean): Activity | undefined {
    if (item.type === 'error') return undefined
    worked = true
    complaint = undefined
    if (item.type === 'agent_message') {
      said = item.text
      return { says: firstLine(item.text) }
    }
    if (!isStart) return undefined
    if (item.type === 'command_execution') return { says: `$ ${firstLine(item.command)}` }
    return item.type === 'file_change' ? { says: `edit ${item.changes.map(({ path }) => path).join(', ')}` } : undefined
  }

  return {
    line: eventReader(z.union([Event, OldEvent.transform((event) => ({ ...event, isOld: true }))]), (event) => {
      isOld ||= 'isOld' in event
      return take(event)
    }),
    trouble: () => trouble,
    warning: (text) => {
      if (rejected.test(text)) denied++
    },
    result: () => {
      // Some versions report an error without ending the turn.
      const error = failure ?? (finished ? undefined : complaint)
      return {
        usage,
        lastMessage: said,
        denied,
        finished: finished || (isOld && worked ? undefined : false),
        worked,
        ...(error !== undefined && {
          error,
          fault: parseFault(error) ?? parseTrouble(error),
          resetAt: parseReset(error, now()),
        }),
      }
    },
  }
}

/** Matches codex's own log line from its start, because a quoted command may contain any word. */
const rejected = /^\S+ ERROR codex_core::\S+ error=(?:[\w ]*\brejected\b|\w+ failed for `.*`: SandboxDenied \{)/

function parseFault(message: string): Fault | undefined {
  if (/^stream disconnected before completion: (?!Incomplete response)/.test(message)) return 'provider'
  return classifyError(message)
}

/** Parses "Reconnecting... 1/5 (why)" and "stream error: why; retrying 1/5 in 2s". Codex may keep retrying for hours. */
function parseTrouble(message: string): Fault | undefined {
  const old = /^stream error: (.*); retrying [0-9]+\/[0-9]+ in /s.exec(message)?.[1]
  if (old !== undefined) return parseFault(old) ?? 'provider'
  const [, how, why] = /^Reconnecting\.\.\. ([0-9]+\/[0-9]+|waiting for network) \((.*)\)$/s.exec(message) ?? []
  if (how === undefined || why === undefined) return undefined
  return how === 'waiting for network' ? 'provider' : parseFault(why)
}

/** Parses "try again at Jan 1st, 2100 12:00 AM", or "at 12:00 AM" for today, in local time. Undefined for other forms. */
function parseReset(message: string, now: number): number | undefined {
  if (parseFault(message) !== 'limit') return undefined
  const [, day, year, time] =
    /\btry again at (?:([A-Z][a-z]{2} [0-9]{1,2})(?:st|nd|rd|th), ([0-9]{4}) )?([0-9]{1,2}:[0-9]{2} [AP]M)\.?$/.exec(
      message,
    ) ?? []
  const at = Date.parse(`${day ? `${day}, ${year}` : new Date(now).toDateString()} ${time}`)
  return Number.isNaN(at) ? undefined : at
}
