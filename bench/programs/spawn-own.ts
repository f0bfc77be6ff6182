// Compares durable iterations with bare spawns of the same program, in turns, in a separate run folder.
import { spawn } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../src/adapters/clock/system.ts'
import { createShell } from '../../src/adapters/shell/shell.ts'
import { openArtifacts } from '../../src/adapters/stores/files/artifacts.ts'
import { openFileJournal } from '../../src/adapters/stores/files/journal.ts'
import { acquireLease } from '../../src/adapters/stores/files/lease.ts'
import { runLoop, type Work } from '../../src/kernel/run.ts'
import type { Journal } from '../../src/ports/journal.ts'
import type { Pair } from '../pairs.ts'
import { neverStop, silentInbox, trivialPolicy, trivialWork } from '../trivial.ts'

const [dir, program, count, isolation, flush] = process.argv.slice(2) as [string, string, string, string, string]
const warmUp = 20
const pairsWanted = Number(count)
const env = { PATH: process.env.PATH ?? '' }
const prompt = 'Observe, orient, decide, act. '.repeat(683)
const promptPath = join(dir, 'prompt.md')
writeFileSync(promptPath, prompt)

const lease = acquireLease(dir)
const artifacts = openArtifacts(dir)
const shell = createShell({ secrets: [], isolation: isolation === 'auto' ? 'auto' : 'off' })
const flushContent = flush === 'content' ? { flushContent: artifacts.flush } : {}
const journal = openFileJournal({ dir, run: 'bench', lease, ...flushContent })

const work: Work<null> = {
  ...trivialWork,
  attempt: async ({ task }, _view, signal) => {
    const { path } = await artifacts.put('prompt.md', prompt)
    const log = join(dir, 'artifacts', `${task.id}.log`)
    const stdin = { path: join(dir, path) }
    const exit = await shell.run({ argv: [program], cwd: dir, env, stdin, log, scope: 'bench' }, signal)
    if (exit.code !== 0) return { status: 'failed', detail: JSON.stringify(exit) }
    return { status: 'ok', output: await artifacts.adopt(log) }
  },
}

const pairs: Pair[] = []
const left = await runLoop<null>({
  run: 'bench',
  policy: trivialPolicy(pairsWanted + warmUp + 1),
  work,
  journal: between(journal, bareSpawn),
  inbox: silentInbox,
  clock: systemClock,
  stop: neverStop,
  start: { pins: {} },
  attended: false,
  holdMs: 0,
})
lease.release()
const { ended, failuresInARow } = left.view.state
if (ended?.ending !== 'completed' || failuresInARow > 0) throw new Error(`unexpected result: ${left.status}`)
console.log(JSON.stringify({ pairs: pairs.slice(warmUp), isolation: await shell.isolation() }))

/** An iteration lasts from one pick to the next and includes all work of the engine; the anchor runs in between. */
function between(inner: Journal, anchor: () => Promise<number>): Journal {
  let began: number | undefined
  let before: number | undefined
  return {
    ...inner,
    async append(draft) {
      if (draft.type !== 'task-picked') return inner.append(draft)
      if (began !== undefined) pairs.push({ subject: performance.now() - began, anchor: before! })
      before = await anchor()
      began = performance.now()
      return inner.append(draft)
    },
  }
}

async function bareSpawn(): Promise<number> {
  const began = performance.now()
  const input = openSync(promptPath, 'r')
  const child = spawn(program, [], { cwd: dir, env, stdio: [input, 'pipe', 'pipe'] })
  closeSync(input)
  child.stdout!.resume()
  child.stderr!.resume()
  await new Promise<void>((resolve, reject) => child.once('error', reject).once('close', () => resolve()))
  return performance.now() - began
}
