import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startDetached } from '../adapters/shell/detach.ts'
import { processStart } from '../adapters/stores/files/process.ts'
import { PawlError } from '../contract/exit.ts'
import type { RunEntry } from './index-of-runs.ts'
import { type Place, stateDir } from './paths.ts'
import { readRun } from './read-run.ts'

const patienceMs = 30_000
const lookMs = 50

/** A detached process stays for the answer to a question: it comes from another terminal. */
export const holdsVariable = 'PAWL_DETACHED'

export type Detached = { readonly pid: number; readonly run: RunEntry }

/** The same command in a process that survives this terminal. Resolves once that process owns its run. */
export async function detachRun(
  place: Place,
  words: readonly string[],
  candidates: () => readonly RunEntry[],
): Promise<Detached> {
  const folder = join(stateDir(place), 'detached')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const log = join(folder, `${randomUUID()}.log`)
  const known = new Map(candidates().map(({ id, dir }) => [id, seqOf(dir)]))
  const argv = [process.execPath, process.argv[1]!, ...words, '--plain'] as const
  const env = { ...place.env, PAWL_INVOKED_AS: place.name, [holdsVariable]: '1' }
  const pid = await startDetached({ argv, cwd: process.cwd(), env, log })
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(lookMs)) {
    const alive = processStart(pid) !== undefined
    const run = candidates().find(({ id, dir }) => isTakenUp(dir, pid, known.get(id)))
    if (run) {
      renameSync(log, join(run.dir, 'detached.log'))
      return { pid, run }
    }
    if (!alive) break
  }
  throw refusalOf(log)
}

/** Its process owns it, or has been quick enough to have left already. */
function isTakenUp(dir: string, pid: number, before: number | undefined): boolean {
  try {
    const { owner, state } = readRun(dir)
    return owner?.pid === pid || (owner === undefined && state.seq > (before ?? 0))
  } catch {
    return false
  }
}

function seqOf(dir: string): number {
  try {
    return readRun(dir).state.seq
  } catch {
    return 0
  }
}

/** What the process said before it left, with the exit code that its words stand for. */
function refusalOf(log: string): PawlError {
  const said = readFileSync(log, 'utf8').trim().slice(-2000)
  const owned = said.includes('is already running') || said.includes('is unfinished')
  return new PawlError(owned ? 10 : 20, said.replace(/^\w+: /, '') || 'the detached process did not take up a run')
}
