import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import { PawlError } from '../../contract/exit.ts'
import type { ErrorPayload } from '../../contract/web.ts'
import { packageFile } from '../../installation.ts'
import type { Program } from '../../run/mode.ts'
import { createApp } from './app.ts'
import { createFeeds } from './feed.ts'
import { cookieName, createGuard, listHosts, type Refusal, securityHeaders } from './guard.ts'
import { createMetrics, metricsType } from './metrics.ts'
import { rememberRuns } from './remember.ts'
import { createRunner } from './runner.ts'
import { createRunWatch, createStreams } from './streams.ts'

export type ServeOptions = {
  /** 0: any free port. */
  readonly port: number
  readonly host: string
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer }
  /** The token for programs. Default: a new one. */
  readonly token?: string | undefined
  readonly demo: boolean
  print(line: string): void
}

export type RunningServer = {
  readonly port: number
  readonly token: string
  /** Creates a link that signs one browser in. */
  link(): string
  /** Number of runs that this server executes. */
  running(): number
  close(): Promise<void>
}

const mostBodyBytes = 256 * 1024
const mostConnections = 256
const graceMs = 10_000
const limits = {
  maxHeaderSize: 16_384,
  requestTimeout: 15_000,
  headersTimeout: 10_000,
  // By default, Node checks for slow requests only every 30 seconds.
  connectionsCheckingInterval: 1000,
  // For TLS only.
  handshakeTimeout: 10_000,
}

/** Serves the page and its API on this machine. */
export async function startServer(given: Program, options: ServeOptions): Promise<RunningServer> {
  const { print, demo } = options
  const program = rememberRuns(given)
  const feeds = createFeeds(program)
  const streams = createStreams()
  const watch = createRunWatch(program.machine.store)
  const runner = createRunner(program, print)
  const app = createApp({ program, feeds, streams, watch, runner, demo, print })
  const hosts = new Set<string>()
  const scheme = options.tls ? 'https' : 'http'
  const guard = createGuard({ hosts, scheme, token: options.token, now: () => program.machine.clock.elapsed() })
  const readMetrics = createMetrics(program)
  const handleApi = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  const server = options.tls ? createTlsServer({ ...limits, ...options.tls }, receive) : createServer(limits, receive)
  server.maxConnections = mostConnections
  server.keepAliveTimeout = 5000
  await listen(server, options)
  const { port } = server.address() as AddressInfo
  const shown = options.host.includes(':') ? `[${options.host}]` : options.host
  for (const name of [shown, '127.0.0.1', 'localhost', '[::1]'])
    for (const host of listHosts(name, port, scheme)) hosts.add(host)
  const link = (): string => `${scheme}://${shown}:${port}/enter/${guard.createLink()}`

  return {
    port,
    token: guard.token,
    link,
    running: runner.count,
    async close() {
      streams.close()
      watch.close()
      await runner.close(graceMs)
      await feeds.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const refusal = guard.check(request) ?? checkLength(request)
    if (refusal) {
      refuse(response, refusal, request)
      return
    }
    for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
    const path = request.url!.split('?')[0]!
    if (path.startsWith('/enter/')) enter(path.slice('/enter/'.length), response)
    else if (path.startsWith('/api/')) {
      response.setHeader('Cache-Control', 'no-store')
      void handleApi(request, response)
    } else if (path === '/metrics' && request.method !== 'POST') void sendMetrics(request, response)
    else if (request.method === 'POST') refuse(response, { status: 405, says: 'POST is not allowed here' }, request)
    else sendFile(path, request, response)
  }

  async function sendMetrics({ method }: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readMetrics()
    response.writeHead(200, { 'Content-Type': metricsType, 'Cache-Control': 'no-store' })
    response.end(method === 'HEAD' ? '' : text)
  }

  function enter(word: string, response: ServerResponse): void {
    const session = guard.enter(word)
    if (session === undefined) {
      sendText(
        response,
        401,
        'This link was used already, or is not one. A new one is in the terminal where this server runs.\n',
      )
      return
    }
    response.writeHead(303, {
      'Set-Cookie': `${cookieName}=${session}; HttpOnly; SameSite=Strict; Path=/; Max-Age=2592000${options.tls ? '; Secure' : ''}`,
      'Cache-Control': 'no-store',
      Location: '/',
    })
    response.end()
    print(`A browser signed in. To sign another one in: ${link()}`)
  }
}

async function listen(server: Server, { port, host }: ServeOptions): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE')
        reject(new PawlError(10, `port ${port} is in use`, 'Take another one: --port 0 takes any.', 'port'))
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new PawlError(2, `${host} is no address of this machine`, 'Name one that it has.'))
      else reject(error)
    })
    server.listen(port, host, resolve)
  })
}

function checkLength({ headers, method }: IncomingMessage): Refusal | undefined {
  const length = Number(headers['content-length'] ?? 0)
  if (method !== 'POST' && (length > 0 || headers['transfer-encoding'] !== undefined))
    return { status: 400, says: 'a body is not allowed here' }
  // A body of unknown length could be endless.
  if (headers['transfer-encoding'] !== undefined) return { status: 400, says: 'the length of the body is missing' }
  return length > mostBodyBytes ? { status: 413, says: 'the request is too long' } : undefined
}

function refuse(response: ServerResponse, { status, says }: Refusal, request: IncomingMessage): void {
  // The rest of the request is not read.
  response.setHeader('Connection', 'close')
  const accepts = request.headers.accept ?? ''
  const isPage = status === 401 && accepts.includes('text/html')
  if (isPage) {
    sendText(response, 401, 'Open the link that is in the terminal where this server runs: it signs this browser in.\n')
    return
  }
  const body: ErrorPayload = { error: { message: says, hint: null, code: 'refused', correlation_id: '' } }
  response.writeHead(status, { ...securityHeaders, 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    ...securityHeaders,
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'no-store',
  })
  response.end(text)
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
  png: 'image/png',
}

/** Paths that the page itself reads. */
const pages = /^\/(?:$|runs\/|waiting(?:\/|$)|compare$|start$|admin\/sap-collaborate$)/

/** Files of the page have hashed names and never change. Every other path is the page itself, which reads the path. */
function sendFile(path: string, request: IncomingMessage, response: ServerResponse): void {
  const root = packageFile(join('dist', 'web'))
  const asset = /^\/(?:assets\/)?[\w.-]+\.(js|css|svg|woff2|png)$/.exec(path)
  const file = join(root, asset ? path : 'index.html')
  if (!asset && !pages.test(path)) {
    sendText(response, 404, 'There is no such page.\n')
    return
  }
  if (!existsSync(file)) {
    sendText(response, 404, asset ? 'There is no such file.\n' : 'The page is not built: npm run build\n')
    return
  }
  if (!asset) {
    sendPage(readFileSync(file, 'utf8'), request, response)
    return
  }
  const age = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache'
  const { size } = statSync(file)
  response.writeHead(200, { 'Content-Type': types[asset[1]!]!, 'Cache-Control': age, 'Content-Length': size })
  if (request.method === 'HEAD') response.end()
  else createReadStream(file).pipe(response)
}

/** Writes the chosen theme into the page, so that it does not flash. */
function sendPage(html: string, { headers, method }: IncomingMessage, response: ServerResponse): void {
  const theme = /(?:^|;\s*)pawl_theme=(light|dark)(?:;|$)/.exec(headers.cookie ?? '')?.[1]
  const page = theme ? html.replace('<html', `<html data-theme="${theme}"`) : html
  response.writeHead(200, { 'Content-Type': types.html!, 'Cache-Control': 'no-store' })
  response.end(method === 'HEAD' ? '' : page)
}
