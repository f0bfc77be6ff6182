import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { type Dialect, type Turn, usageOf } from './turn.ts'

export type Calls = {
  /** Requests of the conversation itself, repeated ones included. */
  readonly model: number
  /** Requests of other kinds, such as for a title. */
  readonly other: number
  readonly promptArrived: boolean
}

export type Provider = {
  readonly url: string
  readonly port: number
  /** Resolves once the conversation's first request is here. */
  readonly asked: Promise<void>
  calls(): Calls
  /** How many requests of the conversation held this text. */
  heard(text: string): number
  /** Hosts that a program asked this server, as its proxy, to reach. None is reached. */
  outside(): readonly string[]
  close(): Promise<void>
}

/** What it does turn by turn: always the same, or as it depends on what it was asked. */
export type Script = readonly Turn[] | ((holds: (text: string) => boolean) => readonly Turn[])

/** A model that follows a script, on a free port of this machine. The turn is told from the tool results in a request. */
export async function startProvider(dialect: Dialect, script: Script, prompt: string): Promise<Provider> {
  const asked = Promise.withResolvers<void>()
  const seen = { model: 0, other: 0, promptArrived: false }
  const bodies: string[] = []
  const outside = new Set<string>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(request)
    if (request.method !== 'POST' || !request.url?.startsWith(dialect.path)) {
      seen.other++
      sendJson(response, 404, { error: { message: 'nothing here' } })
      return
    }
    const { results, tools } = dialect.read(JSON.parse(body))
    const withTools = tools.length > 0
    const holds = (text: string): boolean => body.includes(asInJson(text))
    const turns = typeof script === 'function' ? script(holds) : script
    const turn = turns[Math.min(results, turns.length - 1)]!
    if (withTools) {
      seen.model++
      bodies.push(body)
      asked.resolve()
    } else seen.other++
    if (holds(prompt)) seen.promptArrived = true
    const aside = !withTools && turn.do !== 'fail' && turn.do !== 'drop'
    give(dialect, response, aside ? { do: 'say', text: 'Some work' } : chooseTool(turn, tools), results)
  }

  const server = createServer((request, response) => void answer(request, response))
  server.on('connect', (request, socket) => {
    outside.add(request.url ?? '')
    socket.on('error', () => {}).end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  const port = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    asked: asked.promise,
    calls: () => ({ ...seen }),
    heard: (text) => bodies.filter((body) => body.includes(asInJson(text))).length,
    outside: () => [...outside],
    close: () => close(server),
  }
}

const asInJson = (text: string): string => JSON.stringify(text).slice(1, -1)

function chooseTool(turn: Turn, offered: readonly string[]): Turn {
  if (turn.do !== 'call') return turn
  const calls = [turn.tool].flat()
  return { ...turn, tool: calls.find(({ name }) => offered.includes(name)) ?? calls[0]! }
}

function give(dialect: Dialect, response: ServerResponse, turn: Turn, index: number): void {
  const usage = usageOf(index)
  switch (turn.do) {
    case 'say':
      stream(response, dialect.text(turn.text, usage), turn.headers)
      break
    case 'call':
      stream(response, dialect.call(turn.say, [turn.tool].flat()[0]!, usage))
      break
    case 'refuse':
      stream(response, dialect.refusal(turn.text, usage))
      break
    case 'cut':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(dialect.beginning(turn.text, usage).join(''), () => response.socket?.destroy())
      break
    case 'drop':
      response.socket?.destroy()
      break
    case 'hang':
      break
    case 'fail':
      sendJson(response, turn.status, turn.body, turn.headers)
  }
}

function stream(response: ServerResponse, frames: readonly string[], headers: Record<string, string> = {}): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers })
  for (const frame of frames) response.write(frame)
  response.end()
}

function sendJson(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
