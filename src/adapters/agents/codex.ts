import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import type { Fault } from '../../ports/agent.ts'
import { LegacyLine } from './codex-legacy.ts'
import { classifyError } from './own-words.ts'
import {
  describeInput,
  type Entries,
  type Entry,
  eventReader,
  outputEntry,
  type Reader,
  unknownUsage,
} from './reader.ts'

const count = z.number().nonnegative().max(1e12).catch(0)
const id = z.string().optional().catch(undefined)
const Item = z.union([
  z.object({ type: z.literal('agent_message'), text: z.string() }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({
    type: z.literal('command_execution'),
    id,
    command: z.string(),
    aggregated_output: z.string().catch(''),
    exit_code: z.number().nullish().catch(null),
    status: z.string().catch(''),
  }),
  z.object({
    type: z.literal('file_change'),
    id,
    changes: z.array(z.object({ path: z.string() })),
    status: z.string().catch(''),
  }),
  z.object({
    type: z.literal('mcp_tool_call'),
    id,
    tool: z.string(),
    arguments: z.unknown().optional(),
    status: z.string().catch(''),
  }),
  z.object({ type: z.literal('web_search'), id, query: z.string() }),
  z.object({ type: z.literal('error'), message: z.string().catch('') }),
  z.object({ type: z.string().transform(() => 'other' as const) }),
])
type Item = z.infer<typeof Item>
type Tool = Exclude<Item, { type: 'agent_message' | 'reasoning' | 'error' | 'other' }>

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
  /** The id of the tool call that was started last. */
  let open: string | undefined

  function take(event: Event): Entries {
    trouble = event.type === 'error' ? parseTrouble(event.message) : undefined
    switch (event.type) {
      case 'item.started':
      case 'item.completed':
        return takeItem(event.item, event.type === 'item.started')
      case 'turn.completed':
        finished = true
        worked = true
        takeUsage(event.usage)
        return [{ kind: 'usage', usage }]
      case 'usage':
        takeUsage(event.usage)
        return event.usage ? [{ kind: 'usage', usage }] : []
      case 'turn.failed': {
        failure = event.error.message || complaint || 'the turn failed'
        return failure === complaint ? [] : [toError(failure)]
      }
      case 'error':
        complaint = event.message
        return [toError(event.message)]
    }
  }

  function takeUsage(used: z.infer<typeof TurnUsage>): void {
    if (used) usage = { tokens: used.input_tokens + used.output_tokens, costUsd: null }
  }

  function takeItem(item: Item, isStart: boolean): Entries {
    if (item.type === 'error') return isStart ? [] : [toError(item.message)]
    worked = true
    complaint = undefined
    if (item.type === 'other') return []
    if (item.type === 'agent_message' || item.type === 'reasoning') {
      if (isStart) return []
      if (item.type === 'agent_message') said = item.text
      return [{ kind: item.type === 'reasoning' ? 'thought' : 'message', text: item.text }]
    }
    // Some items have no start event.
    const isNew = item.id === undefined ? isStart : open !== item.id
    if (isStart) open = item.id
    return [...(isNew ? [toCall(item)] : []), ...(isStart ? [] : toResult(item))]
  }

  return {
    line: eventReader(z.union([Event, OldEvent.transform((event) => ({ ...event, isOld: true }))]), (event) => {
      isOld ||= 'isOld' in event
      return take(event)
    }),
    trouble: () => trouble,
    warning: (text) => {
      const found = rejected.exec(text)
      if (!found) return outputEntry(text)
      denied++
      const [all, rejectedTool, failedTool, command] = found
      const about = command ?? text.slice(all.length - 'rejected'.length)
      return [{ kind: 'denied', tool: rejectedTool ?? failedTool ?? 'a tool', about }]
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
const rejected =
  /^\S+ ERROR codex_core::\S+ error=(?:(?:(\w+) )?[\w ]*\brejected\b|(\w+) failed for `(.*)`: SandboxDenied \{)/

function toCall(item: Tool): Entry {
  const { id } = item
  switch (item.type) {
    case 'command_execution':
      return { kind: 'tool-call', tool: '$', about: item.command, id }
    case 'file_change':
      return { kind: 'tool-call', tool: 'edit', about: item.changes.map(({ path }) => path).join(', '), id }
    case 'mcp_tool_call':
      return { kind: 'tool-call', tool: item.tool, about: describeInput(item.arguments), id }
    case 'web_search':
      return { kind: 'tool-call', tool: 'search', about: item.query, id }
  }
}

function toResult(item: Tool): Entries {
  if (item.type === 'web_search') return []
  const failed = item.status === 'failed' ? (true as const) : undefined
  if (item.type !== 'command_execution')
    return failed ? [{ kind: 'tool-result', text: item.status, failed, id: item.id }] : []
  const code = item.exit_code ? `exit ${item.exit_code}\n` : ''
  return [{ kind: 'tool-result', text: code + item.aggregated_output, failed, id: item.id }]
}

/** Separates the status and the number of the retry from "Reconnecting... 1/5 (unexpected status 503 …)". */
function toError(text: string): Entry {
  const [, attempt, of, why = text] = /^Reconnecting\.\.\. (?:([0-9]+)\/([0-9]+)|[^(]*) ?\((.*)\)$/s.exec(text) ?? []
  const [, status, message = why] =
    /^(?:unexpected status|exceeded retry limit, last status:) ([0-9]{3}) ?(.*)$/s.exec(why) ?? []
  return {
    kind: 'error',
    message: message,
    ...(status && { status: Number(status) }),
    ...(attempt && { retry: { attempt: Number(attempt), of: Number(of) } }),
  }
}

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
