// Writes the journal of a long run into a folder, with the last snapshot that the kernel would have saved.
import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { realDisk } from '../../src/adapters/stores/files/disk.ts'
import { writeSnapshot } from '../../src/adapters/stores/files/event-reader.ts'
import { journalName } from '../../src/adapters/stores/files/lines.ts'
import { journalVersion } from '../../src/adapters/stores/shared/values.ts'
import type { Fact, LoopEvent } from '../../src/contract/event.ts'
import { toLine } from '../../src/contract/line.ts'
import { advance, emptyView } from '../../src/kernel/step.ts'
import { trivialKey, trivialPolicy } from '../trivial.ts'

const [dir, count] = process.argv.slice(2) as [string, string]
const total = Number(count)
// The kernel saves a snapshot on a clean exit; after a crash, up to 100 events and an attempt follow the last one.
const keptAt = new Map([
  [total - 105, 'crash'],
  [total, 'clean'],
])
const batchBytes = 1 << 18

const policy = trivialPolicy(total)
const file = openSync(join(dir, journalName), 'wx', 0o600)
let view = emptyView(policy)
let end = 0
let batch = ''
for (const { fact, place } of facts()) {
  const seq = view.state.seq + 1
  const event: LoopEvent = { ...fact, ...place, seq, at: Date.UTC(2026, 0, 1) + seq * 7, ms: seq % 50, epoch: 1 }
  batch += `${JSON.stringify(toLine(event, 'bench'))}\n`
  if (batch.length >= batchBytes || keptAt.has(seq)) flush()
  view = advance(view, event, policy)
  const kept = keptAt.get(seq)
  if (kept) {
    writeSnapshot(realDisk, dir, { key: trivialKey, seq, end, epoch: 1, view })
    renameSync(join(dir, 'snapshot.json'), join(dir, `snapshot-${kept}.json`))
  }
  if (seq === total) break
}
closeSync(file)
console.log(JSON.stringify({ bytes: end }))

function flush(): void {
  end += writeSync(file, batch)
  batch = ''
}

type Placed = { readonly fact: Fact; readonly place: Pick<LoopEvent, 'task' | 'attempt'> }

function* facts(): Generator<Placed> {
  const nowhere = { task: null, attempt: null }
  yield {
    fact: { type: 'run-started', journal: journalVersion, policy: policy.name, version: 1, caps: {}, pins: {} },
    place: nowhere,
  }
  for (let number = 1; ; number++) {
    const task = `iteration-${number}`
    const [before, during] = [
      { task, attempt: 0 },
      { task, attempt: 1 },
    ]
    const sha256 = number.toString(16).padStart(64, 'a')
    const output = { path: `artifacts/${task}-1.log`, sha256, bytes: 2048 + number }
    const usage = { tokens: 1200 + (number % 300), costUsd: 0.0125 }
    const call = { key: 'agent', via: 'claude', status: 'ok', usage, providerMs: 5310, output } as const
    yield { fact: { type: 'task-picked', picked: { id: task, kind: 'work' } }, place: before }
    yield { fact: { type: 'attempt-started', via: 'claude' }, place: during }
    yield { fact: { type: 'call-ended', call }, place: during }
    yield { fact: { type: 'attempt-ended', outcome: { status: 'ok', output, detail: 'exit 0' } }, place: during }
    yield { fact: { type: 'verdict-reached', verdict: { status: 'passed', score: 80 + (number % 20) } }, place: during }
    yield { fact: { type: 'decision-made', decision: { do: 'settle', as: 'done' }, by: 'policy' }, place: during }
  }
}
