import { z } from 'zod'
import type { Usage } from '../../contract/values.ts'
import { type Activity, classifyStatus, eventReader, firstLine, type Reader, toolLine, unknownUsage } from './reader.ts'

const count = z.number().nonnegative().max(1e12).catch(0)
const Tokens = z.object({
  input: count,
  output: count,
  reasoning: count,
  cache: z.object({ read: count, write: count }).catch({ read: 0, write: 0 }),
})

const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), part: z.object({ text: z.string() }) }),
  z.object({
    type: z.literal('tool_use'),
    part: z.object({
      tool: z.string(),
      state: z.object({ status: z.string(), input: z.unknown().optional(), error: z.unknown().optional() }),
    }),
  }),
  z.object({
    type: z.literal('step_finish'),
    part: z.object({ reason: z.string().catch(''), tokens: Tokens, cost: count }),
  }),
  z.object({
    type: z.literal('error'),
    error: z.object({
      name: z.string().catch('error'),
      data: z
        .object({
          message: z.string().catch(''),
          statusCode: z.number().optional().catch(undefined),
          isRetryable: z.boolean().catch(false),
          responseHeaders: z.record(z.string(), z.unknown()).catch({}),
        })
        .catch({ message: '', isRetryable: false, responseHeaders: {} }),
    }),
  }),
])
type Event = z.infer<typeof Event>
type Failure = Extract<Event, { type: 'error' }>['error']

/** Reads `opencode run --format json`. Reports tokens and cost per step. A rejected permission ends it with exit code 0. */
export function readOpencode(now: () => number): Reader {
  let tokens = 0
  let costUsd = 0
  let steps = 0
  let denied = 0
  let rejected = false
  let said = ''
  let ended = ''
  let failure: { readonly error: Failure; readonly at: number } | undefined

  function take(event: Event): Activity | undefined {
    switch (event.type) {
      case 'text':
        said = event.part.text
        return { says: firstLine(said) }
      case 'tool_use':
        if (event.part.state.status === 'error') countDenied(event.part.state.error)
        return { says: toolLine(event.part.tool, event.part.state.input) }
      case 'step_finish':
        steps++
        tokens += total(event.part.tokens)
        costUsd += event.part.cost
        ended = event.part.reason
        return { says: 'step finished', usage: usage() }
      case 'error':
        failure = { error: event.error, at: now() }
        return { says: firstLine(event.error.data.message || event.error.name) }
    }
  }

  /** A rejected permission ends the agent's work; a deny rule does not. */
  function countDenied(error: unknown): void {
    if (error === rejection) rejected = true
    if (error === rejection || (typeof error === 'string' && error.startsWith(rule))) denied++
  }

  // A cost of 0 means unknown: opencode reports 0 for both.
  const usage = (): Usage => (steps ? { tokens, costUsd: costUsd || null } : unknownUsage)

  return {
    line: eventReader(Event, take),
    result: () => ({
      usage: usage(),
      lastMessage: said,
      denied,
      finished: rejected || (ended !== '' && ended !== 'tool-calls'),
      ...(failure && classifyFailure(failure.error, failure.at)),
    }),
  }
}

const rejection = 'The user rejected permission to use this specific tool call.'
const rule = 'The user has specified a rule which prevents you from using this specific tool call.'

const total = ({ input, output, reasoning, cache }: z.infer<typeof Tokens>): number =>
  input + output + reasoning + cache.read + cache.write

/** Opencode has already waited out shorter delays itself. */
const minWaitSeconds = 60

function classifyFailure({ name, data }: Failure, at: number) {
  const { message, statusCode, isRetryable, responseHeaders } = data
  const seconds = Number(responseHeaders['retry-after'])
  return {
    error: message || name,
    fault: classifyStatus(statusCode) ?? (isRetryable ? 'provider' : undefined),
    resetAt: statusCode === 429 && seconds > 0 ? at + Math.max(minWaitSeconds, seconds) * 1000 : undefined,
  }
}
