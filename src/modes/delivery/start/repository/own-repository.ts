import { PawlError } from '../../../../contract/exit.ts'
import type { Lock } from '../../../../ports/locks.ts'
import { type LockingRun, lockWorkTree } from '../../../../run/lock-work-tree.ts'
import type { Machine } from '../../../../run/machine.ts'
import { DeliveryError } from '../input/contract-error.ts'

/** Locks the work tree until the run stops. */
export async function lockRepository(machine: Machine, run: LockingRun): Promise<Lock> {
  const { workspace } = run
  if (machine.git.findGitFolder(workspace) === undefined) {
    throw new DeliveryError('plan_generation_failed', `${workspace} is not a git repository`)
  }
  try {
    return await lockWorkTree(machine, run)
  } catch (error) {
    if (!(error instanceof PawlError) || error.exit === 20) throw error
    const { message, hint } = error
    throw new DeliveryError('blocked_dependency', message, { hint })
  }
}
