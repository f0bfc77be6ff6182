// Appends of a held run in Postgres, and raw inserts of the same lines, in turns. Both have the same pool of connections.
import pg from 'pg'
import type { Draft } from '../../src/contract/event.ts'
import { toLine } from '../../src/contract/line.ts'
import type { HeldRun } from '../../src/ports/run-store.ts'
import { takeTurns } from '../pairs.ts'
import { openStoreAt } from '../postgres.ts'

const [url, workspace, ...counts] = process.argv.slice(2) as [string, string, ...string[]]
const [writers, each, times] = counts.map(Number) as [number, number, number]

const { store } = openStoreAt(url, workspace)
// The same settings as in src/adapters/postgres/sql.ts.
const pool = new pg.Pool({
  connectionString: url,
  connectionTimeoutMillis: 5000,
  query_timeout: 15_000,
  keepAlive: true,
  max: 8,
})
await pool.query('create table if not exists raw_line (run text, seq int, line jsonb not null, primary key (run, seq))')

const runs = await Promise.all(Array.from({ length: writers }, (_, number) => openWriter(`w${writers}-${number}`)))
const pairs = await takeTurns(
  times,
  () => timed(({ append }) => append()),
  () => timed(({ insert }) => insert()),
)
for (const { held } of runs) await held.release()
await pool.end()
// The connections of a store do not keep a process from ending.
console.log(JSON.stringify({ pairs }))

/** Two writers of the same events: our journal, and a table without any rules. */
async function openWriter(id: string) {
  const entry = { id, mode: 'any', name: 'bench', workspace, created: new Date().toISOString() }
  const run = await store.create({ entry, listed: true, freeze: async () => ({ request: '{}' }) })
  const held: HeldRun = await run.hold({ onRepair: () => {} })
  for await (const _ of (await held.journal.load('k')).events);
  let [appended, inserted] = [0, 0]
  return {
    held,
    append: async () => {
      await held.journal.append(draftOf(++appended))
    },
    insert: async () => {
      const seq = ++inserted
      const line = JSON.stringify(toLine({ ...draftOf(seq), seq, epoch: 1 }, id))
      await pool.query('insert into raw_line (run, seq, line) values ($1, $2, $3)', [id, seq, line])
    },
  }
}

/** An event as in the middle of a run. */
function draftOf(seq: number): Draft {
  const stamp = { seq, at: Date.now(), ms: seq, task: `iteration-${seq}`, attempt: 1 }
  return { type: 'attempt-ended', outcome: { status: 'ok' }, ...stamp }
}

type Writer = Awaited<ReturnType<typeof openWriter>>

/** Returns microseconds per event. Each writer waits for one event before it begins the next. */
async function timed(step: (writer: Writer) => Promise<void>): Promise<number> {
  const began = performance.now()
  await Promise.all(
    runs.map(async (writer) => {
      for (let done = 0; done < each; done++) await step(writer)
    }),
  )
  return ((performance.now() - began) * 1000) / (each * writers)
}
