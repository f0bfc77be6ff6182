import { z } from 'zod'
import type { Rung } from '../../contract/models.ts'
import { type Model, type ModelReply, type ModelRequest, modelFaults } from '../../ports/model.ts'
import { createCallDeadline } from './call-deadline.ts'
import { type ClassifiedFault, classifyEnding, toStatus } from './classify-fault.ts'
import { safeDetail } from './detail.ts'
import { emitChunk, nothingUsed, toUsage } from './listen.ts'

export type GuardTools = {
  /** Keys to withhold from error details. */
  readonly keys: readonly string[]
  readonly now: () => number
  readonly estimateTokens: (text: string) => number
}

/** Time for a model to end by itself after its signal fired. */
const graceMs = 500

const amount = z.number().nonnegative()

/** The part of a reply that a caller's model must return. Other fields are replaced if they make no sense. */
const Reply = z.object({
  status: z.enum(['ok', 'failed', 'unavailable']),
  text: z.string(),
  usage: z
    .object({ tokens: amount.nullable(), costUsd: amount.nullable(), estimated: z.literal(true).optional() })
    .optional()
    .catch(undefined),
  providerMs: amount.optional().catch(undefined),
  sentBytes: amount.optional().catch(undefined),
  fault: z.enum(modelFaults).optional().catch(undefined),
  cut: z.literal(true).optional().catch(undefined),
  detail: z.string().optional().catch(undefined),
  retryAt: z.number().optional().catch(undefined),
})
type Reply = z.infer<typeof Reply>

type Ended = { readonly reply: unknown } | { readonly error: unknown } | { readonly late: true }

/**
 * Keeps the contract of a model for a model that a caller of the library wrote: it may throw, ignore its signal or its limit, and return
 * anything. What it does after its time is ignored.
 */
export function createGuardedModel(model: Model, rung: Rung, tools: GuardTools): Model {
  async function call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const asked = [request.system, request.prompt].filter(Boolean).join('\n')
    if (signal.aborted) return toReply({ fault: 'stopped', says: 'stopped' }, { asked, text: '', usage: nothingUsed })
    const startedAt = performance.now()
    const deadline = createCallDeadline({ limitMs: request.limitMs }, signal)
    const listener = openListener(request.onText)
    const ended = await awaitEnd(() => model.call({ ...request, onText: listener.take }, deadline.signal), deadline)
    deadline.close()
    const heard = listener.close()
    const providerMs = performance.now() - startedAt
    const parsed = 'reply' in ended ? Reply.safeParse(ended.reply) : undefined
    if (parsed?.success) return complete(parsed.data, asked, { providerMs, stopped: signal.aborted })
    const stop = deadline.ended()
    const fault = stop.stop ? describeStop(stop, 'late' in ended) : describeFailure(ended, parsed?.error, tools.now())
    return toReply(fault, { asked, text: heard, usage: estimateUsage(asked, heard), providerMs })
  }

  /** Fills in what a valid reply leaves out. */
  function complete(reply: Reply, asked: string, seen: { providerMs: number; stopped: boolean }): ModelReply {
    const { text, usage, detail, retryAt, cut } = reply
    const fault = readFault(reply, seen.stopped)
    const says = detail ?? (fault === 'empty' ? 'an empty answer' : undefined)
    const { providerMs = seen.providerMs, sentBytes = Buffer.byteLength(asked) } = reply
    const counted = usage ?? estimateUsage(asked, text)
    return toReply(
      { ...(fault && { fault }), ...(fault && says && { says }), retryAt, ...(cut && { cut }) },
      { asked, text, usage: counted, providerMs, sentBytes },
    )
  }

  function toReply(
    { fault, says, retryAt, cut }: ClassifiedFault,
    call: Pick<ModelReply, 'text' | 'usage'> & { asked: string; providerMs?: number; sentBytes?: number },
  ): ModelReply {
    const { asked, text, usage, providerMs = 0, sentBytes = providerMs > 0 ? Buffer.byteLength(asked) : 0 } = call
    return {
      status: toStatus(fault),
      text,
      usage,
      providerMs,
      sentBytes,
      ...(fault && { fault }),
      ...(says && { detail: safeDetail(says, { keys: tools.keys, content: [asked, text] }) }),
      ...(retryAt !== undefined && { retryAt }),
      ...(cut && { cut }),
    }
  }

  const estimateUsage = (asked: string, text: string): ModelReply['usage'] =>
    toUsage(rung, {}, { input: () => tools.estimateTokens(asked), output: () => tools.estimateTokens(text) })

  return { name: model.name, call }
}

/** Returns when the call has ended, or some time after its signal fired. Never rejects. */
async function awaitEnd(call: () => Promise<unknown>, { signal }: { readonly signal: AbortSignal }): Promise<Ended> {
  const { promise: late, resolve } = Promise.withResolvers<Ended>()
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    timer = setTimeout(() => resolve({ late: true }), graceMs)
  }
  signal.addEventListener('abort', wait, { once: true })
  const done = Promise.try(call).then(
    (reply): Ended => ({ reply }),
    (error: unknown): Ended => ({ error }),
  )
  const ended = await Promise.race([done, late])
  signal.removeEventListener('abort', wait)
  clearTimeout(timer)
  return ended
}

/** Passes text on until it is closed, and remembers it, for the estimate of a call that returned nothing. */
function openListener(onText: ModelRequest['onText']) {
  let heard = ''
  let open = true
  return {
    take(text: unknown): void {
      if (!open || typeof text !== 'string') return
      heard += text
      emitChunk(onText, text)
    },
    close(): string {
      open = false
      return heard
    },
  }
}

function readFault({ status, text, fault, retryAt }: Reply, stopped: boolean): ModelReply['fault'] {
  if (status === 'ok') return text.trim() === '' ? 'empty' : undefined
  if (fault) return fault
  if (status === 'unavailable') return retryAt === undefined ? 'provider' : 'limit'
  return stopped ? 'stopped' : 'refused'
}

function describeStop(
  stop: ReturnType<ReturnType<typeof createCallDeadline>['ended']>,
  late: boolean,
): ClassifiedFault {
  const { fault, says } = classifyEnding({ ...stop, empty: true }, 0)
  const more = late ? `, and the call did not end within ${graceMs / 1000} s of its signal` : ''
  return { fault: fault!, says: `${says}${more}` }
}

function describeFailure(ended: Ended, invalid: z.ZodError | undefined, now: number): ClassifiedFault {
  if (!('error' in ended)) {
    const [issue] = invalid?.issues ?? []
    return { fault: 'provider', says: `invalid reply: ${issue?.path.join('.') || 'it is not an object'}` }
  }
  const { error } = ended
  const hasStatus = typeof (error as { statusCode?: unknown } | null)?.statusCode === 'number'
  return hasStatus ? classifyEnding({ error, empty: true }, now) : { fault: 'provider', says: describeError(error) }
}

/** Includes the cause: `fetch` says only "fetch failed". */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message, name, cause } = error
  const says = message === '' ? name : message
  return cause instanceof Error ? `${says}: ${cause.message}` : says
}
