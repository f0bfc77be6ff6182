import { join } from 'node:path'
import { PawlError } from '../../../../contract/exit.ts'
import { RunOwnedError } from '../../../../ports/lease.ts'
import type { Lock } from '../../../../ports/locks.ts'
import type { Machine } from '../../../../run/machine.ts'
import { DeliveryError } from '../input/contract-error.ts'

/** Two deliveries in one work tree would take each other's changes for their own. Held until the run leaves. */
export async function ownRepository({ git, store }: Machine, folder: string, force = false): Promise<Lock> {
  const gitFolder = git.findGitFolder(folder)
  if (gitFolder === undefined) throw new DeliveryError('plan_generation_failed', `${folder} is not a git repository`)
  try {
    return await store.acquire({ of: 'folder', path: join(gitFolder, 'pawl') }, { force })
  } catch (error) {
    if (!(error instanceof RunOwnedError)) {
      const what = `cannot lock ${folder}: ${(error as Error).message}`
      throw passesWithRoom(error)
        ? new PawlError(20, what, 'Nothing was started.')
        : new DeliveryError('blocked_dependency', what)
    }
    const hint = 'Wait for it, or give the second one a work tree of its own: git worktree add.'
    throw new DeliveryError('blocked_dependency', `another delivery works in ${folder}: ${error.message}`, { hint })
  }
}

const codes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'])

/** Whether what went wrong passes as soon as there is room again. */
function passesWithRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return codes.has((error as NodeJS.ErrnoException).code ?? '') || passesWithRoom(error.cause)
}
