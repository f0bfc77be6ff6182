// `npm run cluster`: Postgres, two workers and the dashboard on this machine, without Docker. Everything ends with Ctrl-C; the data stays in .cluster/.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { startPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.cluster')
/** The same ports each time, if they are free: an address that was exported in another terminal stays right. */
const ports = { postgres: 54_400, serve: 4400 }
/** `npm run` passes on a signal that this process got from the terminal already. */
const sameSignalMs = 1000

fs.mkdirSync(folder, { recursive: true })
const server = await startPostgres({
  durable: true,
  data: join(folder, 'data'),
  port: await orAnyPort(ports.postgres),
  password: readPassword(join(folder, 'password')),
}).catch((error: Error) => {
  console.error(error.message)
  return process.exit(1)
})
const url = server.url()
console.log(`The database is up. In another terminal:\n  export PAWL_DATABASE_URL='${url}'\n`)
const children = [
  start('worker 1', 'worker', '--concurrency', '4'),
  start('worker 2', 'worker', '--concurrency', '4'),
  start('serve', 'serve', '--port', String(await orAnyPort(ports.serve))),
]
let stoppedAt: number | undefined
process.on('SIGINT', stop).on('SIGTERM', stop)
await Promise.all(children.map((child) => once(child, 'exit')))
await server.stop()

/** Each in a group of its own: Ctrl-C reaches all of a group, and a worker that is told to stop twice does not finish its step. */
function start(name: string, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [join(root, 'bin', 'pawl.cjs'), ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
    env: { ...process.env, PAWL_DATABASE_URL: url },
  })
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => console.log(`${name.padEnd(8)} | ${line}`))
  child.on('exit', (code, signal) => {
    if (stoppedAt !== undefined) return
    console.error(`${name} ended (${signal ?? `exit ${code}`}), so the others are stopped.`)
    process.exitCode = 1
    stop()
  })
  return child
}

function stop(): void {
  const now = performance.now()
  if (stoppedAt !== undefined && now - stoppedAt < sameSignalMs) return
  stoppedAt ??= now
  for (const child of children) child.kill('SIGTERM')
}

/** Without one, every user of this machine could start runs, and so execute commands as the person who started this. */
function readPassword(path: string): string {
  if (!fs.existsSync(path)) fs.writeFileSync(path, randomBytes(18).toString('base64url'), { mode: 0o600 })
  return fs.readFileSync(path, 'utf8').trim()
}

async function orAnyPort(wanted: number): Promise<number> {
  const probe = createServer()
  const isFree = await new Promise<boolean>((resolve) => {
    probe.once('error', () => resolve(false)).listen(wanted, '127.0.0.1', () => resolve(true))
  })
  if (!isFree) probe.listen(0, '127.0.0.1')
  if (!probe.listening) await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
