import type { ServerResponse } from 'node:http'
import { setInterval as every } from 'node:timers/promises'
import type { Dialect } from './model-dialects.ts'

/** Said by a status instead of an answer. */
const statuses = {
  limit: [429, 'rate_limit_error'],
  'limit-untold': [429, 'rate_limit_error'],
  error: [500, 'api_error'],
  overloaded: [529, 'overloaded_error'],
  'bad-request': [400, 'invalid_request_error'],
  'too-large': [413, 'request_too_large'],
  unprocessable: [422, 'invalid_request_error'],
  login: [401, 'authentication_error'],
  forbidden: [403, 'permission_error'],
  'no-model': [404, 'not_found_error'],
} as const
type StatusFault = keyof typeof statuses

/** All that a model server has been seen to do instead of answering. */
export type FaultName =
  | StatusFault
  | 'redirect'
  | 'reset'
  | 'stall'
  | 'stall-after-headers'
  | 'stall-amid'
  | 'trickle'
  | 'cut'
  | 'cut-quietly'
  | 'held-open'
  | 'trouble-amid'
  | 'limit-amid'
  | 'html'
  | 'not-json'
  | 'wrong-schema'
  | 'endless'
  | 'endless-line'

export type FaultOptions = {
  /** What the error says; clients must not pass on what is secret in it. */
  readonly says: string
  readonly headers: Readonly<Record<string, string>>
  /** The beginning of the answer, for faults that come amid it. */
  readonly text: string
  readonly everyMs: number
}

const isStatus = (fault: FaultName): fault is StatusFault => Object.hasOwn(statuses, fault)

export async function commit(
  fault: FaultName,
  dialect: Dialect,
  response: ServerResponse,
  { says, headers, text, everyMs }: FaultOptions,
): Promise<void> {
  if (isStatus(fault)) {
    const [status, type] = statuses[fault]
    const told = fault === 'limit' ? { 'retry-after': '2', ...headers } : headers
    response.writeHead(status, { 'content-type': 'application/json', ...told })
    response.end(JSON.stringify(dialect.error(type, says)))
    return
  }
  const send = (event: object): void => void response.write(sse(dialect, event))
  const begin = (): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of [...dialect.begin(null), dialect.piece(text)]) send(event)
  }
  switch (fault) {
    case 'redirect':
      response.writeHead(307, headers).end()
      return
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'stall':
      return
    case 'stall-after-headers':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      return
    case 'stall-amid':
      return begin()
    case 'trickle':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for await (const _ of every(everyMs)) if (response.destroyed || !response.write(':')) return
      return
    case 'cut':
      begin()
      // What was written is on its way before the connection breaks.
      response.write(sse(dialect, dialect.piece(' and')), () => response.socket?.destroy())
      return
    case 'cut-quietly':
      begin()
      response.end()
      return
    case 'held-open':
      begin()
      for (const event of dialect.end('stop', { input: 10, output: 20 }, text)) send(event)
      if (dialect.provider === 'openai') response.write('data: [DONE]\n\n')
      return
    case 'trouble-amid':
      begin()
      send(dialect.trouble('overloaded_error', says))
      response.end()
      return
    case 'limit-amid':
      begin()
      send(dialect.trouble('rate_limit_error', says))
      response.end()
      return
    case 'html':
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Log in</title>${says}`)
      return
    case 'not-json':
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: {"text": ${says}\n\n`)
      return
    case 'wrong-schema':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(`data: ${JSON.stringify({ completely: { different: says } })}\n\n`)
      return
    case 'endless':
      begin()
      return pour(response, () => sse(dialect, dialect.piece('more and '.repeat(100))))
    case 'endless-line':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: ')
      return pour(response, () => 'x'.repeat(10_000))
  }
}

export const sse = ({ provider }: Dialect, event: object): string => {
  const name = provider === 'openai' ? '' : `event: ${(event as { type: string }).type}\n`
  return `${name}data: ${JSON.stringify(event)}\n\n`
}

/** As fast as it is read, until nobody reads any more. */
async function pour(response: ServerResponse, next: () => string): Promise<void> {
  let goOn = (): void => {}
  response.on('drain', () => goOn()).on('close', () => goOn())
  while (!response.destroyed) {
    const { promise, resolve } = Promise.withResolvers<void>()
    goOn = resolve
    if (!response.write(next())) await promise
  }
}
