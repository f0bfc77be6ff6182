// A worker of the chaos suite: the program's own worker with a mode of the suite's. Writes what the database has acknowledged to a file.
import { appendFileSync } from 'node:fs'
import { openSql } from '../../src/adapters/postgres/sql.ts'
import { readEnvironment } from '../../src/machine/environment.ts'
import { openMachine } from '../../src/machine/open-machine.ts'
import type { RunStore, StoredRun } from '../../src/ports/run-store.ts'
import { takeTurn } from '../../src/run/queue/take-turn.ts'
import { stepsEntry } from './steps-mode.ts'

const [url, log] = process.argv.slice(2) as [string, string]
const sql = openSql({ url, connections: 4 })
const own = process.pid
const write = (...words: readonly unknown[]): void => appendFileSync(log, `${words.join(' ')}\n`)
const entry = stepsEntry(async (key) => {
  await sql.query('insert into effect (key, pid) values ($1, $2) on conflict do nothing', [key, own])
})
const environment = { ...readEnvironment('pawl'), env: { ...process.env, PAWL_DATABASE_URL: url } }
const machine = openMachine(environment, { modes: [entry] })
const { store, queue, close } = machine.database!
const stop = new AbortController()
process.on('SIGTERM', () => stop.abort('SIGTERM'))

const witnessed = (run: StoredRun): StoredRun => ({
  ...run,
  async hold(options) {
    const held = await run.hold(options)
    write('held', run.entry.id, held.epoch, Date.now())
    const append: typeof held.journal.append = async (draft) => {
      try {
        const event = await held.journal.append(draft)
        write('event', run.entry.id, event.seq, event.epoch)
        return event
      } catch (error) {
        write('refused', run.entry.id, draft.seq, held.epoch, (error as Error).name)
        throw error
      }
    }
    return Object.defineProperties({ journal: { ...held.journal, append } } as typeof held, {
      ...withoutJournal(Object.getOwnPropertyDescriptors(held)),
    })
  },
})
const withoutJournal = ({ journal: _, ...others }: PropertyDescriptorMap): PropertyDescriptorMap => others
const watched: RunStore = {
  ...store,
  async open(address) {
    const run = await store.open(address)
    return run && witnessed(run)
  },
}
const program = { machine: { ...machine, store: watched }, modes: [entry] }
const stops = { soft: stop.signal, hard: stop.signal, now: stop.signal }
write('up', own)
await queue.work({ concurrency: 4, signal: stop.signal, onProblem: (text) => write('problem', text) }, (turn) =>
  takeTurn(program, turn, { stop: stops, onNotice: () => {} }),
)
await close()
await sql.close()
