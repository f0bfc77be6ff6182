import type { Rung } from '../../contract/models.ts'
import type { Model, ModelReply, ModelRequest } from '../../ports/model.ts'
import { createCallDeadline } from './call-deadline.ts'
import { type ClassifiedFault, classifyEnding, toStatus } from './classify-fault.ts'
import { safeDetail } from './detail.ts'
import { type Endpoint, type Environment, resolveEndpoint } from './endpoint.ts'
import { callOptions, openLanguageModel } from './language-model.ts'
import { listen, nothingUsed, type RawReply, toUsage } from './listen.ts'
import { openWire, TooMuchError } from './wire.ts'

export type HttpModelTools = {
  /** Read for every call, so that no key is stored. */
  readonly env: Environment
  readonly now: () => number
  readonly estimateTokens: (text: string) => number
}

/** Far more than any useful answer. */
const maxBytes = 4 * 1024 * 1024

/** A model on a server: Ollama, xAI, Anthropic or any OpenAI-compatible one. */
export function createHttpModel(rung: Rung, tools: HttpModelTools): Model {
  async function call(request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
    const endpoint = resolveEndpoint(rung, tools.env)
    if ('problem' in endpoint) return neverSent({ fault: endpoint.fault, says: endpoint.problem })
    if (signal.aborted) return neverSent({ fault: 'stopped', says: 'stopped' })
    return send(request, endpoint, signal)
  }

  async function send(request: ModelRequest, endpoint: Endpoint, signal: AbortSignal): Promise<ModelReply> {
    const startedAt = performance.now()
    const deadline = createCallDeadline(request, signal)
    const wire = openWire({ signal: deadline.signal, heard: deadline.heard, maxBytes })
    const heard = await openLanguageModel(rung, endpoint, wire.fetch)
      .then((model) => listen(model, callOptions(rung, request, deadline.signal), request.onText))
      .catch((error: unknown): RawReply => ({ text: '', counted: {}, error }))
      .finally(deadline.close)
    const providerMs = performance.now() - startedAt
    const { text, finish, error, counted } = heard
    const ended = finish !== undefined && error === undefined
    const judged =
      tooMuch(error) ??
      classifyEnding({ finish, error, ...(ended ? {} : deadline.ended()), empty: text.trim() === '' }, tools.now())
    const asked = `${request.system ?? ''}\n${request.prompt}`
    const estimates = { input: () => tools.estimateTokens(asked), output: () => tools.estimateTokens(text) }
    return {
      ...toReply(judged, { keys: endpoint.key ? [endpoint.key] : [], content: [asked, text] }),
      text,
      usage: wire.sentBytes() === 0 || isRejected(heard) ? nothingUsed : toUsage(rung, counted, estimates),
      providerMs,
      sentBytes: wire.sentBytes(),
    }
  }

  return { name: rung.label, call }
}

const neverSent = (judged: ClassifiedFault): ModelReply => ({
  ...toReply(judged, { keys: [], content: [] }),
  text: '',
  usage: nothingUsed,
  providerMs: 0,
  sentBytes: 0,
})

function toReply({ fault, says, retryAt, cut }: ClassifiedFault, withheld: Parameters<typeof safeDetail>[1]) {
  return {
    status: toStatus(fault),
    ...(fault && { fault }),
    ...(says && { detail: safeDetail(says, withheld) }),
    ...(retryAt !== undefined && { retryAt }),
    ...(cut && { cut }),
  }
}

function tooMuch(error: unknown): ClassifiedFault | undefined {
  const cause = (error as { cause?: unknown } | undefined)?.cause
  return error instanceof TooMuchError || cause instanceof TooMuchError
    ? { fault: 'provider', says: `the answer is longer than ${maxBytes} bytes` }
    : undefined
}

/** Returns whether the server sent an error status instead of an answer: no model was run, so nothing was used. */
function isRejected({ text, error }: RawReply): boolean {
  const status = (error as { statusCode?: unknown } | undefined)?.statusCode
  return text === '' && typeof status === 'number' && status >= 400
}
