import { readFileSync, writeFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { PawlError } from '../../../../contract/exit.ts'
import type { Handler } from '../../../terminal/command.ts'
import { createToken } from '../../../web/guard.ts'
import { type ServeOptions, startServer } from '../../../web/server.ts'

const defaultPort = 4400

type Options = {
  readonly port?: string
  readonly host?: string
  readonly tlsCert?: string
  readonly tlsKey?: string
  readonly insecure?: boolean
  readonly tokenFile?: string
  readonly demo?: boolean
}

export const handle: Handler = async ({ program, options: given, io }) => {
  const options = given as Options
  const port = readPort(options.port)
  const host = readHost(options)
  const tls = readTls(options)
  const token = options.tokenFile === undefined ? undefined : readToken(options.tokenFile)
  const demo = options.demo === true
  const server = await startServer(program, { port, host, ...(tls && { tls }), token, demo, print: io.out })
  const link = server.link()
  io.result({ url: link, port: server.port, token: server.token }, () => [
    `Open this link. It signs one browser in, once:`,
    `  ${link}`,
    'Stop with Ctrl-C. Runs that were started here can be resumed later.',
  ])
  await io.flush()
  await waitForSignal()
  if (server.running() > 0) io.err('Stopping the runs after their current step. Press Ctrl-C again to end at once.')
  await server.close()
  return 0
}

function readPort(given: string | undefined): number {
  if (given === undefined) return defaultPort
  const port = Number(given)
  if (Number.isInteger(port) && port >= 0 && port < 65_536) return port
  throw new PawlError(2, `--port takes a number from 0 to 65535, not ${given}`)
}

const loopback = ['127.0.0.1', 'localhost', '::1']

/** Other machines reach the page only if its traffic is encrypted, or if the person says that it need not be. */
function readHost({ host = '127.0.0.1', tlsCert, insecure }: Options): string {
  if (['0.0.0.0', '::'].includes(host))
    throw new PawlError(2, `${host} is no address that a browser uses`, 'Name the address of this machine.')
  if (loopback.includes(host) || tlsCert !== undefined || insecure) return host
  throw new PawlError(
    2,
    `${host} can be reached from other machines, and without TLS anybody between them can read the page and take it over`,
    'Give --tls-cert and --tls-key, or --insecure if something else protects the way. Over SSH: ssh -L 4400:127.0.0.1:4400',
  )
}

/** Reads the token for programs, or creates it: one that changes with each start would lock out a program that asks all the time. */
function readToken(path: string): string {
  try {
    writeFileSync(path, `${createToken()}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST')
      throw new PawlError(2, `cannot write ${path}: ${message}`, 'Name a file in a folder that is there.')
  }
  const token = readText(path).toString('utf8').trim()
  if (/^[\w-]{32,200}$/.test(token)) return token
  throw new PawlError(
    30,
    `${path} contains no token`,
    'Remove it, and this command creates one: 32 letters and digits or more.',
  )
}

function readTls({ tlsCert, tlsKey }: Options): ServeOptions['tls'] {
  if (tlsCert === undefined && tlsKey === undefined) return undefined
  if (tlsCert === undefined || tlsKey === undefined) throw new PawlError(2, '--tls-cert and --tls-key belong together')
  const tls = { cert: readText(tlsCert), key: readText(tlsKey) }
  try {
    createSecureContext(tls)
    return tls
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const hint =
      'Give the certificate, with those between it and its authority, and the key that belongs to it, as PEM files.'
    if (code === 'ERR_OSSL_X509_KEY_VALUES_MISMATCH')
      throw new PawlError(30, `${tlsKey} is not the key of ${tlsCert}`, hint)
    throw new PawlError(30, `${tlsCert} and ${tlsKey} cannot be used for TLS: ${message}`, hint)
  }
}

function readText(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new PawlError(2, `there is no file ${path}`)
    if (code === 'EISDIR') throw new PawlError(2, `${path} is a directory`, 'Name a file.')
    throw error
  }
}

/** Resolves at the first signal to stop. The second ends the process. */
function waitForSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGINT', 'SIGTERM'] as const)
      process.once(name, () => {
        resolve()
        process.once(name, () => process.exit(name === 'SIGINT' ? 130 : 143))
      })
  })
}
