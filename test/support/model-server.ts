import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type Asked, type Body, type Dialect, dialectOf, type Ending, type Usage } from './model-dialects.ts'
import { commit, type FaultName, sse } from './model-faults.ts'
import { findSchemaProblem } from './strict-schema.ts'

/** One request for an answer, numbered from 1 as it came in. */
export type ServedCall = Asked & {
  readonly number: number
  readonly path: string
  readonly provider: Dialect['provider']
  readonly headers: IncomingHttpHeaders
  readonly bytes: number
}

export type ServedAnswer = {
  readonly text?: string
  /** Null: not told. */
  readonly usage?: Usage | null
  readonly ending?: Ending
  readonly fault?: FaultName
  /** What an error says. */
  readonly says?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Characters for each event. */
  readonly pieceLength?: number
  readonly delayMs?: number
  readonly everyMs?: number
}

export type ModelServer = {
  /** Without a path: Ollama and Anthropic are named so, the others with `/v1`. */
  readonly url: string
  readonly host: string
  /** Every call that came in, in order: also those whose caller has gone. */
  readonly calls: readonly ServedCall[]
  connections(): Promise<number>
  close(): Promise<void>
}

export type ModelServerOptions = {
  /** Told of every call before it is answered. */
  readonly onCall?: (call: ServedCall) => void
  /** What Ollama has pulled, and what others say they serve. */
  readonly models?: readonly string[]
  /** The one key that is let in. */
  readonly key?: string
  readonly port?: number
}

/**
 * Speaks as Ollama and OpenAI (chat completions), as xAI (responses) and as Anthropic (messages), streaming or not. As strict as they are: a
 * schema that one of them would reject is refused.
 */
export async function startModelServer(
  answer: (call: ServedCall) => ServedAnswer | Promise<ServedAnswer>,
  { onCall, models = ['served'], key, port = 0 }: ModelServerOptions = {},
): Promise<ModelServer> {
  const calls: ServedCall[] = []

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const dialect = dialectOf(path)
    const refused = key !== undefined && ![`Bearer ${key}`, key].includes(keyOf(request))
    if (!dialect) return tellModels(path, refused, response)
    const body = await readBody(request)
    const call = { ...dialect.asked(JSON.parse(body) as Body), ...facts(path, request, body) }
    calls.push(call)
    onCall?.(call)
    const problem = call.schema === undefined ? undefined : findSchemaProblem(call.schema)
    const turned = refused
      ? ({ fault: 'login' } as const)
      : problem && ({ fault: 'bad-request', says: problem } as const)
    const given: ServedAnswer = turned || (await answer(call))
    if (given.delayMs) await delay(given.delayMs)
    await (given.fault ? misbehave(given.fault, dialect, response, given) : speak(given, call, dialect, response))
  }

  const facts = (path: string, { headers }: IncomingMessage, body: string) => ({
    number: calls.length + 1,
    path,
    provider: dialectOf(path)!.provider,
    headers,
    bytes: Buffer.byteLength(body),
  })

  function tellModels(path: string, refused: boolean, response: ServerResponse): void {
    const known = path.endsWith('/models') || path === '/api/tags'
    const status = refused ? 401 : known ? 200 : 404
    const listed = { models: models.map((name) => ({ name })), data: models.map((id) => ({ id })) }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(status === 200 ? listed : { error: { message: `status ${status}` } }))
  }

  const server = createServer((request, response) => {
    serve(request, response).catch((error: Error) => response.destroy(error))
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(port, '127.0.0.1', resolve)
  await promise
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `http://${host}`,
    host,
    calls,
    connections: () => new Promise((done) => server.getConnections((_, count) => done(count))),
    close: () => {
      server.closeAllConnections()
      return new Promise((done) => server.close(() => done()))
    },
  }
}

const keyOf = ({ headers }: IncomingMessage): string => String(headers['x-api-key'] ?? headers.authorization ?? '')

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}

async function speak(given: ServedAnswer, call: ServedCall, dialect: Dialect, response: ServerResponse): Promise<void> {
  const { text = '', usage = { input: 10, output: 20 }, ending = 'stop', pieceLength = 16, headers } = given
  if (!call.stream) {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(dialect.whole(text, ending, usage)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  const pieces = Array.from({ length: Math.ceil(text.length / pieceLength) }, (_, at) =>
    dialect.piece(text.slice(at * pieceLength, (at + 1) * pieceLength)),
  )
  for (const event of [...dialect.begin(usage), ...pieces, ...dialect.end(ending, usage, text)]) {
    response.write(sse(dialect, event))
    if (given.everyMs) await delay(given.everyMs)
  }
  response.end(dialect.provider === 'openai' ? 'data: [DONE]\n\n' : '')
}

const misbehave = (fault: FaultName, dialect: Dialect, response: ServerResponse, given: ServedAnswer): Promise<void> =>
  commit(fault, dialect, response, {
    says: given.says ?? 'not today',
    headers: given.headers ?? {},
    text: given.text ?? 'It begins well',
    everyMs: given.everyMs ?? 1000,
  })
