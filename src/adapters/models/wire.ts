import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'

export type WireOptions = {
  /** The call rejects with the abort reason. */
  readonly signal: AbortSignal
  /** Called for the response headers and for every chunk. */
  readonly heard: () => void
  readonly maxBytes: number
}

export type Wire = {
  readonly fetch: typeof globalThis.fetch
  /** Upper bound of the bytes sent. */
  sentBytes(): number
}

export class TooMuchError extends Error {}

/**
 * Sends one request over its own connection. The built-in fetch follows redirects, uses proxies from environment
 * variables and times out after five minutes of silence.
 */
export function openWire({ signal, heard, maxBytes }: WireOptions): Wire {
  let sent = 0
  let received = 0

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    signal.throwIfAborted()
    const url = new URL(input instanceof Request ? input.url : input)
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : null
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = start(url, init, body)
    const stop = (): void => void request.destroy(signal.reason as Error)
    signal.addEventListener('abort', stop, { once: true })
    request.on('close', () => signal.removeEventListener('abort', stop))
    request.on('socket', (socket) => {
      const ready = url.protocol === 'https:' ? 'secureConnect' : 'connect'
      socket.once(ready, () => (sent += body?.length ?? 0))
    })
    request.on('error', reject)
    request.on('response', (answer) => {
      heard()
      try {
        resolve(asResponse(answer))
      } catch (error) {
        reject(error)
      }
    })
    request.end(body)
    return promise
  }

  function asResponse(answer: IncomingMessage): Response {
    // A web page, for example from a proxy: do not read it.
    if (answer.statusCode === 200 && /^text\/html\b/.test(answer.headers['content-type'] ?? '')) {
      answer.on('error', ignore).destroy()
      throw new Error('a web page')
    }
    const headers = Object.entries(answer.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    return toResponse(answer.statusCode ?? 0, headers, readBody(answer))
  }

  function readBody(answer: IncomingMessage): ReadableStream<Uint8Array> {
    let open = true
    let tail = ''
    const end = (how: () => void): void => {
      if (!open) return
      open = false
      how()
      answer.destroy()
    }
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        answer.on('error', (error) => end(() => controller.error(signal.aborted ? signal.reason : error)))
        answer.on('end', () => end(() => controller.close()))
        answer.on('data', (chunk: Buffer) => {
          heard()
          received += chunk.length
          if (received > maxBytes) return end(() => controller.error(new TooMuchError(`more than ${maxBytes} bytes`)))
          if (open) controller.enqueue(chunk)
          tail = `${tail}${chunk.toString('latin1', Math.max(0, chunk.length - 32))}`.slice(-32)
          // Some servers keep the connection open after the end marker.
          if (endMarker.test(tail)) end(() => controller.close())
        })
      },
      cancel: () => end(ignore),
    })
  }

  return { fetch, sentBytes: () => sent }
}

function ignore(): void {}

const endMarker = /\ndata: ?\[DONE\]\s*$/

function start(url: URL, init: RequestInit, body: Buffer | null): ClientRequest {
  const secure = url.protocol === 'https:'
  const headers = {
    ...Object.fromEntries(new Headers(init.headers)),
    'accept-encoding': 'identity',
    ...(body && { 'content-length': body.length }),
  }
  // A new agent uses no proxy and reuses no connection, which could be dead.
  const options = { method: init.method ?? 'GET', headers, maxHeaderSize: 64 * 1024 }
  if (secure) return requestHttps(url, { ...options, agent: new HttpsAgent() })
  return requestHttp(url, { ...options, agent: new HttpAgent() })
}

/** Replaces statuses that a Response cannot have, or not with a body, by 502. */
function toResponse(status: number, headers: [string, string][], body: ReadableStream): Response {
  const odd = status < 200 || status > 599 || [204, 205, 304].includes(status)
  if (!odd) return new Response(body, { status, headers })
  void body.cancel()
  return new Response(`status ${status}`, { status: 502, headers: { 'content-type': 'text/plain' } })
}
