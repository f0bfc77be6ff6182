import type { ModelFault, ModelReply } from '../../ports/model.ts'
import type { Stop } from './call-deadline.ts'
import type { Finish } from './listen.ts'
import { type Headers, retryAt } from './retry-at.ts'

/** How a call ended, without its content. */
export type Ending = {
  readonly finish?: Finish | undefined
  readonly error?: unknown
  readonly stop?: Stop | undefined
  /** The timeout that ended it, if `stop` is one. */
  readonly boundMs?: number | undefined
  readonly empty: boolean
}

/** `says` may contain anything that the provider sent. */
export type ClassifiedFault = {
  readonly fault?: ModelFault
  readonly says?: string
  readonly retryAt?: number | undefined
  readonly cut?: true
}

/** Maps every way a call can end to a fault, or to none. Pure. */
export function classifyEnding({ finish, error, stop, boundMs, empty }: Ending, now: number): ClassifiedFault {
  if (stop === 'stopped') return { fault: 'stopped', says: 'stopped' }
  if (stop === 'limit') return { fault: 'provider', says: `took longer than ${seconds(boundMs)}` }
  if (stop === 'silence') return { fault: 'provider', says: `silent for ${seconds(boundMs)}` }
  if (error !== undefined) return classifyError(error, now)
  const cut = finish === 'length' ? { cut: true as const } : {}
  if (finish === undefined) return { fault: 'provider', says: 'the answer was cut off' }
  if (finish === 'content-filter') return { fault: 'refused', says: 'the model refused' }
  if (empty && finish === 'tool-calls') return { fault: 'empty', says: 'a tool call instead of an answer' }
  if (empty) return { fault: 'empty', says: 'an empty answer', ...cut }
  return cut
}

const seconds = (ms = 0): string => `${ms / 1000} s`

const unavailable: readonly ModelFault[] = ['limit', 'provider', 'login', 'model']

export function toStatus(fault: ModelFault | undefined): ModelReply['status'] {
  if (fault === undefined) return 'ok'
  return unavailable.includes(fault) ? 'unavailable' : 'failed'
}

function classifyError(error: unknown, now: number): ClassifiedFault {
  const { status, type, message, headers, code } = readFacts(error)
  if (status !== undefined && status >= 300) {
    const fault = chooseFault(status, `${type} ${message}`)
    const canRetry = fault === 'limit' || fault === 'provider'
    const says = status < 400 ? 'redirects are not followed' : message
    return { fault, says: `HTTP ${status}: ${says}`, retryAt: canRetry ? retryAt(headers, now) : undefined }
  }
  if (type) return { fault: chooseFault(findStatus(type), `${type} ${message}`), says: `${type}: ${message}` }
  // Other errors are from the SDK and may quote the answer, so their text is not used.
  return {
    fault: 'provider',
    says: code ? `the connection failed: ${code}` : 'the response is not from a model server',
  }
}

type Facts = {
  readonly status?: number | undefined
  readonly type: string
  readonly message: string
  readonly headers: Headers
  /** Error code of the operating system or of Node. */
  readonly code?: string | undefined
}

/** Reads errors of the SDK, plain objects from the stream and system errors. */
function readFacts(error: unknown): Facts {
  const found = record(error)
  const cause = record(found.cause)
  const details = record(record(found.data).error)
  const systemCode = [found.code, cause.code]
    .map(text)
    .find((code) => /^(E[A-Z0-9_]+|[A-Z]+_[A-Z_]+|HPE_\w+)$/.test(code))
  const fromProvider =
    typeof found.statusCode === 'number' || (!(error instanceof Error) && found.message !== undefined)
  return {
    status: typeof found.statusCode === 'number' ? found.statusCode : numeric(found.code),
    type: fromProvider ? text(details.type ?? found.type ?? details.code ?? found.code) : '',
    message: fromProvider ? text(details.message ?? found.message) : '',
    headers: record(found.responseHeaders) as Headers,
    code: systemCode,
  }
}

function chooseFault(status: number, words: string): ModelFault {
  if (status === 401 || status === 402 || status === 403) return 'login'
  if (status === 404 || status === 410) return 'model'
  if (status === 429) return 'limit'
  if (status < 400 || status === 408 || status >= 500) return 'provider'
  // Some vendors return 400 for a wrong key, an account without credit or an unknown model.
  if (/\b(incorrect|invalid) api key\b|\bcredit balance\b/i.test(words)) return 'login'
  return /\bmodel_not_found\b|\bmodel\b.{0,80}\b(not found|does not exist)\b/i.test(words) ? 'model' : 'request'
}

/** Maps the error type to an HTTP status, for errors in a stream, which have no status. */
function findStatus(type: string): number {
  if (/rate_limit|quota/.test(type)) return 429
  if (/authentication|permission|api_key/.test(type)) return 401
  if (/not_found/.test(type)) return 404
  return /invalid_request|context_length|too_large/.test(type) ? 400 : 500
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const numeric = (code: unknown): number | undefined => {
  const status = Number(code)
  return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined
}
