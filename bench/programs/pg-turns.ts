// A worker whose turns do nothing, until SIGTERM: what remains is the time of the queue.
import { openPostgresQueue } from '../../src/adapters/postgres/queue.ts'
import { openSql } from '../../src/adapters/postgres/sql.ts'

const [url, concurrency] = process.argv.slice(2) as [string, string]
const stop = new AbortController()
process.once('SIGTERM', () => stop.abort())
const queue = openPostgresQueue(openSql({ url }))
await queue.work(
  { concurrency: Number(concurrency), signal: stop.signal, onProblem: (text) => console.error(text) },
  async () => ({ is: 'ended' }),
)
await queue.close()
