// Opens the journal of a run like a new process and folds it, from its snapshot or from the start.
import { openFileJournal } from '../../src/adapters/stores/files/journal.ts'
import { acquireLease } from '../../src/adapters/stores/files/lease.ts'
import { advance, emptyView } from '../../src/kernel/step.ts'
import { trivialKey, trivialPolicy } from '../trivial.ts'

const [dir, from] = process.argv.slice(2) as [string, 'snapshot' | 'beginning']
const lease = acquireLease(dir)
const began = performance.now()
const policy = trivialPolicy(Infinity)
const journal = openFileJournal({ dir, run: 'bench', lease })
const { snapshot, events } = await journal.load(from === 'snapshot' ? trivialKey : 'another key')
let view = (snapshot as ReturnType<typeof emptyView<null>> | undefined) ?? emptyView(policy)
let folded = 0
for await (const event of events) {
  view = advance(view, event, policy)
  folded++
}
const ms = performance.now() - began
journal.close()
lease.release()
console.log(JSON.stringify({ ms, folded, seq: view.state.seq, peakMb: process.resourceUsage().maxRSS / 1024 }))
