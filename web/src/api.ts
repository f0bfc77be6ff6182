import type { StartPayload } from '../../src/contract/page/start.ts'
import type {
  AttemptPayload,
  ComparePayload,
  ErrorPayload,
  LogPayload,
  RunJsonPayload,
  RunPayload,
  RunsPayload,
  SapFormPayload,
  SapRunPayload,
  WaitingPayload,
} from '../../src/contract/web.ts'
import { setServerTime } from './clock.ts'

/** A request that failed. `correlationId` is also in the server's log; null if the server did not answer. */
export class ApiError extends Error {
  readonly hint: string | null
  readonly code: string
  readonly correlationId: string | null
  readonly status: number

  constructor(message: string, about: Pick<ApiError, 'hint' | 'code' | 'correlationId' | 'status'>) {
    super(message)
    this.name = 'ApiError'
    this.hint = about.hint
    this.code = about.code
    this.correlationId = about.correlationId
    this.status = about.status
  }
}

const base = '/api/v1'
export const runPath = (id: string): string => `${base}/runs/${encodeURIComponent(id)}`
export const streamPath = `${base}/stream`

export type LogQuery = { readonly from: number; readonly count: number; readonly search?: string }

/** `limit`: the most rows. The counts are always those of all runs. */
export const getRuns = (limit: number, signal?: AbortSignal) => get<RunsPayload>(`${base}/runs?limit=${limit}`, signal)
export const getRun = (id: string, signal?: AbortSignal) => get<RunPayload>(runPath(id), signal)
/** The run as it was after an event. */
export const getRunAt = (id: string, seq: number, signal?: AbortSignal) =>
  get<RunPayload>(`${runPath(id)}?at=${seq}`, signal)
/** The run for programs, as it is or as it was after an event. */
export const getRunJson = (id: string, seq: number | null, signal?: AbortSignal) =>
  get<RunJsonPayload>(`${runPath(id)}/json${seq === null ? '' : `?at=${seq}`}`, signal)
export const getAttempt = (id: string, task: string, n: number, signal?: AbortSignal) =>
  get<AttemptPayload>(`${runPath(id)}/attempts/${encodeURIComponent(task)}/${n}`, signal)
export const getWaiting = (signal?: AbortSignal) => get<WaitingPayload>(`${base}/waiting`, signal)
export const getCompare = (a: string, b: string, signal?: AbortSignal) =>
  get<ComparePayload>(`${base}/compare?${new URLSearchParams({ a, b })}`, signal)

export function getLog(id: string, { from, count, search }: LogQuery, signal?: AbortSignal) {
  const query = new URLSearchParams({ from: String(from), count: String(count), ...(search && { search }) })
  return get<LogPayload>(`${runPath(id)}/log?${query}`, signal)
}

/** The bodies of `POST /api/v1/runs/:id/<verb>`. */
export type Writes = {
  readonly pause: Record<string, never>
  readonly unpause: Record<string, never>
  readonly stop: Record<string, never>
  readonly 'skip-wait': Record<string, never>
  readonly feedback: { readonly text: string }
  readonly raise: { readonly caps: Readonly<Record<string, number>> }
  readonly resume: Record<string, never>
  readonly fork: { readonly at?: number; readonly feedback: string }
  readonly answer: { readonly choice?: string; readonly picks?: readonly string[]; readonly text?: string }
}

export const postRun = <Verb extends keyof Writes>(id: string, verb: Verb, body: Writes[Verb]): Promise<unknown> =>
  post(`${runPath(id)}/${verb}`, body)

export const getForms = (signal?: AbortSignal) => get<StartPayload>(`${base}/start`, signal)
/** Starts a run with a value for each field of its form. */
export const startRun = (command: string, values: Readonly<Record<string, string>>) =>
  post(`${base}/start/${encodeURIComponent(command)}`, values) as Promise<{ readonly run: string }>

export const getSapForm = (signal?: AbortSignal) => get<SapFormPayload>(`${base}/sap`, signal)
export const getSapRun = (id: string, signal?: AbortSignal) =>
  get<SapRunPayload>(`${base}/sap/${encodeURIComponent(id)}`, signal)

/** The body of `POST /api/v1/sap/start`. An empty task: `text` says what to do. */
export type SapStart = {
  readonly task: string
  readonly text: string
  readonly flow: 'iteration' | 'adaptive'
  readonly model?: string
  readonly scenario?: string
}
export const startSap = (body: SapStart) => post(`${base}/sap/start`, body) as Promise<{ readonly run: string }>

const post = (path: string, body: object): Promise<unknown> =>
  request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Pawl': '1' },
    body: JSON.stringify(body),
  })

async function get<T extends object>(path: string, signal?: AbortSignal): Promise<T> {
  const payload = (await request(path, { headers: { Accept: 'application/json' }, ...(signal && { signal }) })) as T
  if ('now' in payload && typeof payload.now === 'number') setServerTime(payload.now)
  return payload
}

async function request(path: string, init: RequestInit): Promise<unknown> {
  let response: Response
  try {
    response = await fetch(path, { credentials: 'same-origin', ...init })
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    throw new ApiError('The server did not answer.', unreachable)
  }
  const body = parseJson(await response.text())
  if (response.ok) return body
  throw readError(body, response.status)
}

const unreachable = {
  hint: 'Check that pawl serve is still running.',
  code: 'unreachable',
  correlationId: null,
  status: 0,
}

function parseJson(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return null
  }
}

function readError(body: unknown, status: number): ApiError {
  const error = (body as Partial<ErrorPayload> | null)?.error
  if (typeof error?.message !== 'string') {
    return new ApiError(`The server answered with status ${status}.`, { ...unreachable, hint: null, status })
  }
  const { message, hint, code, correlation_id } = error
  return new ApiError(message, { hint, code, correlationId: correlation_id, status })
}
