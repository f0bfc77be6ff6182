import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'
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
])
type Event = z.infer<typeof Event>

/** Reads `codex exec --json`. Input tokens include cached ones. It reports no cost, and reset times only as text. */
export function readCodex(now: () => number): Reader {
  let usage: Usage = unknownUsage
  let said = ''
  let denied = 0
  let finished = false
  let worked = false
  let failure: string | undefined
  let complaint: string | undefined
  let trouble: Fault | undefined

  function take(event: Event): Activity | undefined {
    trouble = event.type === 'error' ? parseTrouble(event.message) : undefined
    switch (event.type) {
      case 'item.started':
      case 'item.completed':
        return takeItem(event.item, event.type === 'item.started')
      case 'turn.completed':
        finished = true
        worked = true
        if (event.usage) usage = { tokens: event.usage.input_tokens + event.usage.output_tokens, costUsd: null }
        return { says: 'turn completed', usage }
      case 'turn.failed':
        failure = event.error.message || complaint || 'the turn failed'
        return undefined
      case 'error':
        complaint = event.message
        return { says: firstLine(event.message) }
    }
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
    line: eventReader(Event, take),
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
        finished,
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
const rejected = /^\S+ ERROR codex_core::\S+ error=[\w ]*\brejected\b/

function parseFault(message: string): Fault | undefined {
  if (/^stream disconnected before completion: (?!Incomplete response)/.test(message)) return 'provider'
  return classifyError(message)
}

/** Parses "Reconnecting... 1/5 (why)". Codex may keep reconnecting for hours. */
function parseTrouble(message: string): Fault | undefined {
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
