import { z } from 'zod'
import type { Fault } from '../../ports/agent.ts'
import { type Block, Event, type Message, type Result, type Usage } from './claude-events.ts'
import { classifyError, findStatus } from './own-words.ts'
import {
  classifyStatus,
  describeInput,
  type Entries,
  type Entry,
  eventReader,
  type Reader,
  type ReadResult,
  toMs,
  unknownUsage,
} from './reader.ts'

/** Reads Claude Code's stream-json. The result event's fields count, not the exit code. */
export function readClaude(): Reader {
  let result: Result | undefined
  let resetAt: number | undefined
  let denied = 0
  let said = ''
  let trouble: Fault | undefined
  let worked = false
  let complaint: Message | undefined
  // A message arrives in parts, and each part reports the usage of the message so far.
  let counted = { id: '', tokens: 0 }
  let spent: number | undefined
  const calls = new Map<string, { readonly tool: string; readonly about: string | undefined }>()
  const refused = new Set<string>()

  function take(event: Event): Entries {
    trouble = undefined
    switch (event.type) {
      case 'assistant':
        return takeMessage(event)
      case 'user':
        return event.message.content.flatMap(toResult)
      case 'system':
        return takeNotice(event)
      case 'rate_limit_event': {
        const { status, resetsAt } = event.rate_limit_info
        if (status === 'rejected' && resetsAt !== undefined) resetAt = toMs(resetsAt)
        return []
      }
      case 'result':
        result = event
        return takeResult(event)
    }
  }

  /** Counts the tokens of subagents too, but their text is not the agent's last message. */
  function takeMessage(event: Message): Entries {
    const { message, parent_tool_use_id } = event
    const { id, content, usage } = message
    complaint = isComplaint(event) ? event : undefined
    worked ||= complaint === undefined
    if (usage) {
      const tokens = total(usage)
      // Without an id it may be the same message again. Better to count too little, as an estimate.
      const isSame = id === '' || counted.id === '' || id === counted.id
      spent = (spent ?? 0) + (isSame ? Math.max(0, tokens - counted.tokens) : tokens)
      counted = { id: id || counted.id, tokens }
    }
    const last = content.at(-1)
    if (last?.type === 'text' && !parent_tool_use_id) said = last.text
    // The result repeats what Claude says about its own errors.
    const entries = complaint ? [] : content.flatMap(toEntry)
    return entries.length > 0 && usage ? [...entries, { kind: 'usage', usage: soFar() }] : entries
  }

  function toEntry(block: Block): Entries {
    if (block.type === 'text') return [{ kind: 'message', text: block.text }]
    if (block.type === 'thinking') return [{ kind: 'thought', text: block.thinking }]
    if (block.type !== 'tool_use') return []
    const call = { tool: block.name, about: describeInput(block.input) }
    if (block.id !== undefined) {
      if (calls.size >= maxCalls) calls.clear()
      calls.set(block.id, call)
    }
    return [{ kind: 'tool-call', ...call, id: block.id }]
  }

  /** The result of a denied call only repeats the denial. */
  function toResult(block: Block): Entries {
    if (block.type !== 'tool_result' || refused.has(block.tool_use_id ?? '')) return []
    const failed = block.is_error ? (true as const) : undefined
    return [{ kind: 'tool-result', text: readText(block.content), failed, id: block.tool_use_id }]
  }

  function takeNotice(notice: Extract<Event, { type: 'system' }>): Entries {
    const { subtype, error_status, error, attempt, max_retries, tool_name, tool_use_id } = notice
    if (subtype === 'api_retry') {
      trouble = classifyStatus(error_status) ?? 'provider'
      const retry = { attempt: attempt ?? 1, of: max_retries }
      return [{ kind: 'error', message: error ?? 'no connection', status: error_status ?? undefined, retry }]
    }
    if (subtype !== 'permission_denied') return []
    denied++
    return [deny(tool_use_id, tool_name ?? 'a tool')]
  }

  function deny(id: string | undefined, tool: string, input?: unknown): Entry {
    if (id !== undefined && refused.size < maxCalls) refused.add(id)
    return { kind: 'denied', tool, about: describeInput(input) ?? calls.get(id ?? '')?.about }
  }

  /** Older versions report denials only here. */
  function takeResult(event: Result): Entries {
    const late = event.permission_denials.filter((_, index) => index >= denied)
    const { api_error_status } = event
    return [
      ...late.map(({ tool_name, tool_use_id, tool_input }) => deny(tool_use_id, tool_name, tool_input)),
      ...(hasFailed(event, worked, complaint)
        ? [{ kind: 'error' as const, message: formatError(event), status: api_error_status ?? undefined }]
        : []),
      { kind: 'usage', usage: toUsage(event, spent) },
    ]
  }

  /** A little low, because only the last event includes the output tokens. */
  const soFar = () => ({
    tokens: spent ?? 0,
    costUsd: null,
    estimated: true as const,
  })

  return {
    line: eventReader(Event, take),
    trouble: () => trouble,
    result: () => {
      const failed = result && hasFailed(result, worked, complaint) ? result : undefined
      return {
        usage: result ? toUsage(result, spent) : spent === undefined ? unknownUsage : soFar(),
        lastMessage: failed ? '' : result?.result || said,
        denied: Math.max(denied, result?.permission_denials.length ?? 0),
        finished: result !== undefined,
        worked: worked || (result !== undefined && !failed),
        ...(failed && { error: formatError(failed), ...classifyResult(failed, complaint, resetAt) }),
      }
    },
  }
}

const maxCalls = 1000
/** Returns the text of a tool result: a string, or a list of blocks. */
function readText(content: unknown): string {
  if (typeof content === 'string') return content
  const blocks = z.array(z.object({ text: z.string().catch('') }).catch({ text: '' })).safeParse(content)
  return blocks.success ? blocks.data.map(({ text }) => text).join('\n') : ''
}

const total = (usage: Usage): number => sum(Object.values(usage))

const sum = (counts: readonly number[]): number => counts.reduce((all, one) => all + one, 0)

/** Claude prints its own errors as messages of a made-up model, without any usage. */
function isComplaint({ message, error }: Message): boolean {
  if (error !== undefined || message.model === '<synthetic>') return true
  const isCall = message.content.some(({ type }) => type === 'tool_use')
  return !isCall && message.usage !== null && total(message.usage) === 0
}

/** Some versions end at a limit of turns or dollars without `is_error`. Without that field, words of Claude itself are no success. */
function hasFailed({ is_error, subtype }: Result, worked: boolean, complaint: Message | undefined): boolean {
  return subtype.startsWith('error') || (is_error ?? (!worked && complaint !== undefined))
}

/** Prefers `modelUsage`, because `usage` is empty if a limit ended the work. Old versions have only `usage`. */
const toUsage = ({ modelUsage, usage, total_cost_usd }: Result, spent: number | undefined) => ({
  tokens: modelUsage
    ? sum(Object.values(modelUsage).flatMap((used) => Object.values(used)))
    : usage
      ? Math.max(total(usage), spent ?? 0)
      : (spent ?? null),
  costUsd: total_cost_usd ?? null,
})

const formatError = ({ result, errors, subtype }: Result): string =>
  result || errors.filter(Boolean).join('; ') || subtype || 'an error without a message'

/** Old versions report neither a status nor a kind of error, and the end of a limit only in words. */
function classifyResult(
  result: Result,
  complaint: Message | undefined,
  reset: number | undefined,
): Pick<ReadResult, 'fault' | 'resetAt'> {
  const until = /\blimit reached\|([0-9]{10,13})\b/.exec(result.result)?.[1]
  const resetAt = reset ?? (until === undefined ? undefined : toMs(Number(until)))
  return { fault: findFault(result, complaint, resetAt), resetAt }
}

function findFault(result: Result, complaint: Message | undefined, resetAt: number | undefined): Fault | undefined {
  const byStatus = classifyStatus(result.api_error_status)
  if (byStatus) return byStatus
  if (resetAt !== undefined) return 'limit'
  if (result.stop_reason === 'refusal') return undefined
  const kind = complaint?.error ?? ''
  if (Object.hasOwn(kinds, kind)) return kinds[kind]
  const words = formatError(result)
  const isApiError = result.terminal_reason === 'api_error' || words.startsWith('API Error')
  const status = result.api_error_status ?? findStatus(words)
  return classifyError(words) ?? (isApiError && status === undefined ? 'provider' : undefined)
}

/** Kinds of error in Claude's own messages. */
const kinds: Readonly<Record<string, Fault | undefined>> = {
  authentication_failed: 'login',
  rate_limit: 'limit',
  server_error: 'provider',
  overloaded: 'provider',
  billing_error: undefined,
  invalid_request: undefined,
  model_not_found: undefined,
}
