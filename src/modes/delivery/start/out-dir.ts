import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { RunOwnedError } from '../../../ports/lease.ts'
import type { Lock } from '../../../ports/locks.ts'
import type { HeldRun, StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { readRun } from '../../../run/read-run.ts'
import { DeliveryError } from './input/contract-error.ts'

/** Error code: another process owns the out-dir, so its `result.json` must not be overwritten. */
export const outDirOwned = 'out_dir_owned'

export type HeldOutDir = { readonly stored: StoredRun; readonly held: HeldRun }

/** Tells whether the run with this id has completed in this folder. */
export async function hasSucceeded({ store }: Machine, dir: string, run: string): Promise<boolean> {
  try {
    const stored = await store.open(dir)
    return stored?.entry.id === run && (await readRun(stored)).state.ended?.ending === 'completed'
  } catch {
    return false
  }
}

/** Creates the out-dir and returns its real path, because a symlink could change later. Agents may not write to it. */
export function findOutDir(asked: string, repository: string): string {
  let dir: string
  try {
    mkdirSync(asked, { recursive: true, mode: 0o700 })
    dir = realpathSync(asked)
  } catch (error) {
    throw new PawlError(30, `cannot create the out-dir ${asked}: ${(error as Error).message}`)
  }
  const above = relative(dir, realpathSync(repository))
  const holds = above === '' || !(above.startsWith('..') || isAbsolute(above))
  if (!holds) return dir
  const hint = 'Use a folder beside the repository, or one inside it that git ignores.'
  throw new DeliveryError('plan_generation_failed', `the out-dir ${dir} contains the repository itself`, { hint })
}

/** Locks an out-dir, and holds its run if there is one. */
export async function lockOutDir(
  { store }: Machine,
  dir: string,
  onRepair: (what: string) => void,
): Promise<{ readonly lock: Lock; readonly run?: HeldOutDir }> {
  try {
    for (;;) {
      const stored = await store.open(dir)
      if (stored) {
        const held = await stored.hold({ onRepair })
        return { lock: held, run: { stored, held } }
      }
      const lock = await store.acquire({ of: 'folder', path: dir })
      if (!(await store.open(dir))) return { lock }
      // Another process created a run there in the meantime and has left.
      await lock.release()
    }
  } catch (error) {
    if (!(error instanceof RunOwnedError)) throw error
    const hint = 'Wait until it ends: it writes its own result.'
    throw new DeliveryError('blocked_dependency', `the run in ${dir} is ${error.message}`, { hint, code: outDirOwned })
  }
}

/** Holds a run that was just created. Takes over from this process itself, which owns the lock on the folder. */
export async function holdCreated(stored: StoredRun, onRepair: (what: string) => void): Promise<HeldOutDir> {
  return { stored, held: await stored.hold({ takeOver: true, onRepair }) }
}

/** Throws if the out-dir has remains of a run that cannot be opened. Nothing there is changed. */
export function checkRemains(dir: string): void {
  if (existsSync(join(dir, 'request.json')))
    throw new PawlError(30, `${join(dir, 'request.json')} is not a run request`)
  if (!existsSync(join(dir, 'progress.ndjson'))) return
  const what = `${dir} has the journal of a run, but not its request.json`
  const hint = 'Use another out-dir; the journal was not changed.'
  throw new DeliveryError('blocked_dependency', what, { hint })
}
