// Loops of five trivial steps in the Postgres store, each a separate run: created, held, executed by the kernel and released.
import { randomUUID } from 'node:crypto'
import { systemClock } from '../../src/adapters/clock/system.ts'
import { runLoop } from '../../src/kernel/run.ts'
import { steps } from '../instant-model.ts'
import { timeLanes } from '../lanes.ts'
import { openStoreAt } from '../postgres.ts'
import { neverStop, trivialPolicy, trivialWork } from '../trivial.ts'

const [url, workspace, lanes, count] = process.argv.slice(2) as [string, string, string, string]
const { store } = openStoreAt(url, workspace)
let events = 0

async function one(): Promise<void> {
  const id = randomUUID()
  const entry = { id, mode: 'any', name: 'bench', workspace, created: new Date().toISOString() }
  const run = await store.create({ entry, listed: true, freeze: async () => ({ request: '{}' }) })
  const held = await run.hold({ onRepair: () => {} })
  const { view } = await runLoop<null>({
    run: id,
    policy: trivialPolicy(steps),
    work: trivialWork,
    journal: held.journal,
    inbox: held.inbox,
    clock: systemClock,
    stop: neverStop,
    start: { pins: {} },
    attended: false,
    holdMs: 0,
  })
  await held.release()
  if (view.state.tasks !== steps) throw new Error(`it ended after ${view.state.tasks} steps`)
  events = view.state.seq
}

const timed = await timeLanes(one, Number(lanes), Number(count))
// The connections of a store do not keep a process from ending.
console.log(JSON.stringify({ ...timed, events }))
