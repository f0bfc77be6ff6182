import { request } from 'node:http'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { newWorkspace, until } from '../cli/pawl.ts'

export type Answer = {
  readonly status: number
  readonly headers: NodeJS.Dict<string | string[]>
  readonly text: string
}
export type Asked = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string
}

/** Starts `pawl serve` in a workspace of its own, or in one that is given. */
export async function startServing(space = newWorkspace(), ...flags: string[]) {
  const started = space.start('serve', '--port', '0', '--json', ...flags)
  onTestFinished(async () => {
    started.child.kill('SIGTERM')
    await started
  })
  await until(() => started.said().includes('\n') || started.child.exitCode !== null, 'the server')
  const { url, port, token } = JSON.parse(started.said().split('\n')[0]!) as {
    url: string
    port: number
    token: string
  }
  const host = `127.0.0.1:${port}`

  const ask = (path: string, { method = 'GET', headers = {}, body }: Asked = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const sent = request({ port, host: '127.0.0.1', path, method, headers: headers as Record<string, string> })
      sent.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
      })
      sent.on('error', reject)
      sent.end(body)
    })

  /** As a program does, with the token. */
  const get = async <T>(path: string): Promise<T> => {
    const { status, text } = await ask(`/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } })
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
    return JSON.parse(text) as T
  }
  const post = (path: string, body: unknown = {}): Promise<Answer> => {
    const text = JSON.stringify(body)
    const headers = {
      Authorization: `Bearer ${token}`,
      'X-Pawl': '1',
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(text)),
    }
    return ask(`/api/v1${path}`, { method: 'POST', headers, body: text })
  }

  /** Signs a browser in and returns the headers that it sends. */
  const signIn = async (): Promise<Record<string, string>> => {
    const { headers } = await ask(new URL(url).pathname, { headers: { 'Sec-Fetch-Site': 'none' } })
    const cookie = String(headers['set-cookie']).split(';')[0]!
    return { Cookie: cookie, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' }
  }

  /** Sends bytes as they are and returns everything that comes back until the connection ends. */
  const raw = (bytes: string, waitMs = 4000): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(port, '127.0.0.1')
      let text = ''
      const timer = setTimeout(() => socket.destroy(), waitMs)
      socket.on('data', (part) => {
        text += part.toString('latin1')
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearTimeout(timer)
        resolve(text)
      })
      socket.write(bytes)
    })

  return { space, started, url, port, host, token, ask, get, post, signIn, raw }
}
export type Serving = Awaited<ReturnType<typeof startServing>>
