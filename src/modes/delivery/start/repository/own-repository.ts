import { join } from 'node:path'
import { PawlError } from '../../../../contract/exit.ts'
import { RunOwnedError } from '../../../../ports/lease.ts'
import type { Lock } from '../../../../ports/locks.ts'
import type { Machine } from '../../../../run/machine.ts'
import { DeliveryError } from '../input/contract-error.ts'

/** Locks the work tree until the run stops: two deliveries in one work tree would mix up their changes. */
export async function lockRepository({ git, store }: Machine, folder: string, force = false): Promise<Lock> {
  const gitFolder = git.findGitFolder(folder)
  if (gitFolder === undefined) throw new DeliveryError('plan_generation_failed', `${folder} is not a git repository`)
  try {
    return await store.acquire({ of: 'folder', path: join(gitFolder, 'pawl') }, { force })
  } catch (error) {
    if (!(error instanceof RunOwnedError)) {
      const what = `cannot lock ${folder}: ${(error as Error).message}`
      throw isTransient(error)
        ? new PawlError(20, what, 'Nothing was started.')
        : new DeliveryError('blocked_dependency', what)
    }
    const hint = 'Wait for it, or create a second work tree: git worktree add.'
    throw new DeliveryError('blocked_dependency', `another delivery is running in ${folder}: ${error.message}`, {
      hint,
    })
  }
}

const transientCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'])

/** Tells whether the error may pass by itself, such as a full disk. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return transientCodes.has((error as NodeJS.ErrnoException).code ?? '') || isTransient(error.cause)
}
