// `npm run cluster`: Postgres, two workers and the dashboard on this machine, without Docker. Everything ends with Ctrl-C; the data stays in .cluster/.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startPostgres } from './postgres.ts'

const root = join(import.meta.dirname, '..')
const server = await startPostgres({ durable: true, data: join(root, '.cluster') })
const url = server.url()
const start = (...words: string[]) =>
  spawn(process.execPath, [join(root, 'bin', 'pawl.cjs'), ...words], {
    stdio: 'inherit',
    env: { ...process.env, PAWL_DATABASE_URL: url },
  })
console.log(`The database is up. In another terminal:\n  export PAWL_DATABASE_URL=${url}\n`)
const children = [
  start('worker', '--concurrency', '4'),
  start('worker', '--concurrency', '4'),
  start('serve', '--port', '0'),
]
const stop = (): void => {
  for (const child of children) child.kill('SIGTERM')
}
process.on('SIGINT', stop).on('SIGTERM', stop)
await Promise.all(children.map((child) => once(child, 'exit')))
await server.stop()
