import type { Rung } from '../../contract/models.ts'
import type { Model, ModelReply, ModelRequest } from '../../ports/model.ts'
import { adviseFormat, chooseFormat, showSchema } from './answer-format.ts'
import { createCallDeadline } from './call-deadline.ts'
import { type ClassifiedFault, classifyEnding, toStatus } from './classify-fault.ts'
import { safeDetail, type Withheld } from './detail.ts'
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
    const { schema } = request
    const format = schema && chooseFormat(rung, endpoint.url)
    const prompt = schema && format !== 'schema' ? showSchema(request.prompt, schema) : request.prompt
    const heard = await openLanguageModel(rung, endpoint, wire.fetch)
      .then((model) => listen(model, callOptions({ ...request, prompt }, format, deadline.signal), request.onText))
      .catch((error: unknown): RawReply => ({ text: '', counted: {}, error }))
      .finally(deadline.close)
    const providerMs = performance.now() - startedAt
    const { text, finish, error, counted } = heard
    const ended = finish !== undefined && error === undefined
    const judged =
      tooMuch(error) ??
      classifyEnding({ finish, error, ...(ended ? {} : deadline.ended()), empty: text.trim() === '' }, tools.now())
    const advice =
      format && adviseFormat(rung, format, { fault: judged.fault, error, calledTool: finish === 'tool-calls' })
    const asked = `${request.system ?? ''}\n${request.prompt}`
    const sent = `${request.system ?? ''}\n${prompt}`
    const estimates = { input: () => tools.estimateTokens(sent), output: () => tools.estimateTokens(text) }
    return {
      ...toReply({ ...judged, advice }, { keys: endpoint.key ? [endpoint.key] : [], content: [asked, text] }),
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

/** `advice` is in our own words and says what to do. */
type Judged = ClassifiedFault & { readonly advice?: string | undefined }

function toReply({ fault, says, advice, retryAt, cut }: Judged, withheld: Withheld) {
  return {
    status: toStatus(fault),
    ...(fault && { fault }),
    ...(says && { detail: addAdvice(safeDetail(says, withheld), advice) }),
    ...(retryAt !== undefined && { retryAt }),
    ...(cut && { cut }),
  }
}

/** Shortens what the server said, because modes show the first 200 characters. */
const addAdvice = (detail: string, advice: string | undefined): string =>
  advice ? `${detail.slice(0, Math.max(20, 198 - advice.length)).replace(/[.:\s]+$/, '')}. ${advice}` : detail

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
