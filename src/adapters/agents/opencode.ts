import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import { classifyError } from './own-words.ts'
import { classifyStatus, describeInput, type Entries, eventReader, type Reader, unknownUsage } from './reader.ts'

const count = z.number().nonnegative().max(1e12).catch(0)
const Tokens = z
  .object({
    input: count,
    output: count,
    reasoning: count,
    cache: z.object({ read: count, write: count }).catch({ read: 0, write: 0 }),
  })
  .nullable()
  .catch(null)

const noDetails = { message: '', isRetryable: false, responseHeaders: {} }
const Failure = z
  .object({
    name: z.string().catch('error'),
    message: z.string().catch(''),
    data: z
      .object({
        message: z.string().catch(''),
        statusCode: z.number().optional().catch(undefined),
        isRetryable: z.boolean().catch(false),
        responseHeaders: z.record(z.string(), z.unknown()).catch({}),
      })
      .catch(noDetails),
  })
  .catch({ name: 'error', message: '', data: noDetails })

const Event = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['text', 'reasoning']), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({
      tool: z.string(),
      callID: z.string().optional().catch(undefined),
      state: z.object({
        status: z.string(),
        input: z.unknown().optional(),
        output: z.string().catch(''),
        error: z.unknown().optional(),
      }),
    }),
  }),
  z.object({
    type: z.literal('step_finish'),
    part: z.object({ reason: z.string().optional().catch(undefined), tokens: Tokens, cost: count }),
  }),
  z.object({ type: z.literal('error'), error: Failure }),
])
type Event = z.infer<typeof Event>
type Failure = z.infer<typeof Failure>

/** Reads `opencode run --format json`. Reports tokens and cost per step. A rejected permission ends it with exit code 0. */
export function readOpencode(now: () => number): Reader {
  let tokens = 0
  let costUsd = 0
  let counted = 0
  let uncounted = 0
  let denied = 0
  let rejected = false
  let said = ''
  let ended = ''
  let worked = false
  let calling = false
  let failure: { readonly error: Failure; readonly at: number } | undefined

  function take(event: Event): Entries {
    switch (event.type) {
      case 'text':
        said = event.part.text
        worked = true
        return [{ kind: 'message', text: said }]
      case 'reasoning':
        worked = true
        return [{ kind: 'thought', text: event.part.text }]
      case 'tool_use':
        worked = true
        calling = true
        return takeTool(event.part)
      case 'step_finish':
        worked = true
        if (event.part.tokens) counted++
        else uncounted++
        tokens += total(event.part.tokens)
        costUsd += event.part.cost
        // Without a reason, a step that called a tool is not the last one.
        ended = event.part.reason ?? (calling ? 'tool-calls' : 'stop')
        calling = false
        return [{ kind: 'usage', usage: usage() }]
      case 'error': {
        failure = { error: event.error, at: now() }
        return [{ kind: 'error', message: formatFailure(event.error), status: event.error.data.statusCode }]
      }
    }
  }

  /** The event comes when the call is over, so it holds the result as well. */
  function takeTool({ tool, callID: id, state }: Extract<Event, { type: 'tool_use' }>['part']): Entries {
    const call = { tool, about: describeInput(state.input) }
    if (state.status === 'error' && countDenied(state.error)) return [{ kind: 'denied', ...call }]
    const failed = state.status === 'error' ? (true as const) : undefined
    const text = failed && typeof state.error === 'string' ? state.error : state.output
    return [
      { kind: 'tool-call', ...call, id },
      { kind: 'tool-result', text: text, failed, id },
    ]
  }

  /** A rejected permission ends the agent's work; a deny rule does not. */
  function countDenied(error: unknown): boolean {
    if (error === rejection) rejected = true
    const isDenial = error === rejection || (typeof error === 'string' && error.startsWith(rule))
    if (isDenial) denied++
    return isDenial
  }

  // A cost of 0 means unknown: opencode reports 0 for both.
  const usage = (): Usage =>
    counted
      ? { tokens, costUsd: costUsd || null, ...(uncounted > 0 && { estimated: true }) }
      : { ...unknownUsage, costUsd: costUsd || null }

  return {
    line: eventReader(Event, take),
    result: () => ({
      usage: usage(),
      lastMessage: said,
      denied,
      finished: rejected || (ended !== '' && ended !== 'tool-calls'),
      worked,
      ...(blocked.includes(ended) && { error: `the reply ended with ${ended}` }),
      ...(failure && classifyFailure(failure.error, failure.at)),
    }),
  }
}

/** Reasons for the end of a step that make the reply useless. Older versions report no error then. */
const blocked = ['content-filter', 'error']

const rejection = 'The user rejected permission to use this specific tool call.'
const rule = 'The user has specified a rule which prevents you from using this specific tool call.'

const total = (used: z.infer<typeof Tokens>): number =>
  used ? used.input + used.output + used.reasoning + used.cache.read + used.cache.write : 0

/** Opencode has already waited out shorter delays itself. */
const minWaitSeconds = 60

function classifyFailure(failure: Failure, at: number) {
  const { statusCode, isRetryable, responseHeaders } = failure.data
  const error = formatFailure(failure)
  const seconds = Number(responseHeaders['retry-after'])
  return {
    error,
    fault: classifyStatus(statusCode) ?? classifyError(error) ?? (isRetryable ? 'provider' : undefined),
    resetAt: statusCode === 429 && seconds > 0 ? at + Math.max(minWaitSeconds, seconds) * 1000 : undefined,
  }
}

const formatFailure = ({ name, message, data }: Failure): string => data.message || message || name
