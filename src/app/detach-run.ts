import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { processStart } from '../adapters/files/process.ts'
import { startDetached } from '../adapters/shell/detach.ts'
import { PawlError } from '../contract/exit.ts'
import type { RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { readRun } from './read-run.ts'

const patienceMs = 30_000
const lookMs = 20

/** Goes on with a run in a process that survives this terminal. Resolves once that process owns the run. */
export async function detachRun(
  place: Place,
  run: Pick<RunEntry, 'id' | 'dir'>,
  flags: readonly string[],
): Promise<number> {
  const log = join(run.dir, 'detached.log')
  const before = readRun(run.dir).state.seq
  const argv = [process.execPath, process.argv[1]!, 'resume', run.id, '--trust', '--plain', ...flags] as const
  const env = { ...place.env, PAWL_INVOKED_AS: place.name }
  const pid = await startDetached({ argv, cwd: place.cwd, env, log })
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(lookMs)) {
    const alive = processStart(pid) !== undefined
    const { owner, state } = readRun(run.dir)
    if (owner?.pid === pid || state.seq > before) return pid
    if (!alive) break
  }
  throw new PawlError(20, `the detached process did not take over the run:\n${tailOf(log)}`, `Its words: ${log}`)
}

function tailOf(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().slice(-2000)
  } catch {
    return ''
  }
}
