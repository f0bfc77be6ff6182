import { checkWorkspaceFolders } from '../../../config/workspace-folders.ts'
import type { Envelope } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { type Lock, noLock } from '../../../ports/locks.ts'
import { toOwnedError } from '../../../run/errors.ts'
import { type LockingRun, lockWorkTree } from '../../../run/lock-work-tree.ts'
import type { Machine } from '../../../run/machine.ts'

/** Allows one run of a name at a time in a workspace, and one run at a time in a work tree. */
export async function lockName(machine: Machine, run: LockingRun): Promise<Lock> {
  const named = await acquireName(machine, run)
  try {
    const tree = await lockWorkTree(machine, run)
    return {
      release: async () => {
        await tree.release()
        await named.release()
      },
    }
  } catch (error) {
    await named.release()
    throw error
  }
}

async function acquireName(
  { store, environment }: Machine,
  { workspace, name, force = false }: LockingRun,
): Promise<Lock> {
  checkWorkspaceFolders(workspace, environment.folder)
  try {
    return await store.acquire({ of: 'name', workspace, name }, { force })
  } catch (error) {
    if (error instanceof NotSavedError) throw new PawlError(20, error.message, 'Nothing was started.', 'not_saved')
    throw toOwnedError(error, name)
  }
}

/** Continues without a lock if it cannot be saved and the run does not require durable state. */
export async function lockNameIfPossible(
  machine: Machine,
  { name, workspace, durability }: Pick<Envelope, 'name' | 'workspace' | 'durability'>,
  onLost: (text: string) => void,
): Promise<Lock> {
  try {
    return await lockName(machine, { workspace, name })
  } catch (error) {
    if (durability === 'strict' || !(error instanceof PawlError) || error.code !== 'not_saved') throw error
    onLost(`${error.message}. A second run of ${name} could start at the same time.`)
    return noLock
  }
}
