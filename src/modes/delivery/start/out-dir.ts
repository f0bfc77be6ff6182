import { existsSync, mkdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { RunOwnedError } from '../../../ports/lease.ts'
import type { Lock } from '../../../ports/locks.ts'
import type { HeldRun, StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { readRun } from '../../../run/read-run.ts'
import { DeliveryError } from './input/contract-error.ts'

/** Whoever is refused here leaves what lies in the out-dir alone: it is for the owner to say what becomes of the run. */
export const outDirOwned = 'out_dir_owned'

export type HeldOutDir = { readonly stored: StoredRun; readonly held: HeldRun }

/** Whether the run with this id has completed there. */
export async function hasSucceeded({ store }: Machine, dir: string, run: string): Promise<boolean> {
  try {
    const stored = await store.open(dir)
    return stored?.entry.id === run && (await readRun(stored)).state.ended?.ending === 'completed'
  } catch {
    return false
  }
}

/** By its real path: a link on the way could lead elsewhere tomorrow. It is kept from agents, so it is not their work. */
export function findOutDir(asked: string, repository: string): string {
  let dir: string
  try {
    mkdirSync(asked, { recursive: true, mode: 0o700 })
    dir = realpathSync(asked)
  } catch (error) {
    throw new PawlError(30, `cannot make the out-dir ${asked}: ${(error as Error).message}`)
  }
  const above = relative(dir, realpathSync(repository))
  const holds = above === '' || !(above.startsWith('..') || isAbsolute(above))
  if (!holds) return dir
  const hint = 'Take a folder beside the repository, or one inside it that git ignores.'
  throw new DeliveryError('plan_generation_failed', `the out-dir ${dir} holds the repository itself`, { hint })
}

/** Keeps others out of an out-dir, and holds the run in it if there is one. */
export async function ownOutDir(
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
      // Somebody has made a run there in the meantime, and is gone again.
      await lock.release()
    }
  } catch (error) {
    if (!(error instanceof RunOwnedError)) throw error
    const hint = 'Wait for it: its result is written when it ends.'
    throw new DeliveryError('blocked_dependency', `the run in ${dir} is ${error.message}`, { hint, code: outDirOwned })
  }
}

/** The run that was just made in an out-dir. The owner that it is taken over from is this process, by its lock on the folder. */
export async function holdCreated(stored: StoredRun, onRepair: (what: string) => void): Promise<HeldOutDir> {
  return { stored, held: await stored.hold({ takeOver: true, onRepair }) }
}

/** What lies in an out-dir without a run that can be opened is kept as it is. */
export function refuseRemains(dir: string): void {
  if (existsSync(join(dir, 'request.json')))
    throw new PawlError(30, `${join(dir, 'request.json')} is not a run request`)
  if (!existsSync(join(dir, 'progress.ndjson'))) return
  const what = `${dir} holds the journal of a run, but not its request.json`
  const hint = 'Take another out-dir: the journal there is kept as it is.'
  throw new DeliveryError('blocked_dependency', what, { hint })
}
