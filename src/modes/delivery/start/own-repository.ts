import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { findGitDir } from '../../../adapters/git/git-dir.ts'
import { isDiskFault } from '../../../adapters/git/snapshots/disk-fault.ts'
import { acquireLease } from '../../../adapters/stores/files/lease.ts'
import { PawlError } from '../../../contract/exit.ts'
import { type Lease, RunOwnedError } from '../../../ports/lease.ts'
import { DeliveryError } from './input/delivery-error.ts'

/** Whoever is refused here leaves what lies in the out-dir alone: it is for the owner to say what becomes of the run. */
export const outDirOwned = 'out_dir_owned'

/**
 * The out-dir and the repository. The out-dir is owned first and released last, so that nobody who finds it free can
 * meet its last owner in the repository.
 */
export function ownDelivery(dir: string, folder: string): Lease {
  const own = ownOutDir(dir)
  try {
    const repository = ownRepository(folder)
    return {
      ...own,
      release: () => {
        repository.release()
        own.release()
      },
    }
  } catch (error) {
    own.release()
    throw error
  }
}

function ownOutDir(dir: string): Lease {
  try {
    return acquireLease(dir)
  } catch (error) {
    if (!(error instanceof RunOwnedError)) throw error
    const hint = 'Wait for it: its result is written when it ends.'
    throw new DeliveryError('blocked_dependency', `the run in ${dir} is ${error.message}`, { hint, code: outDirOwned })
  }
}

/** Two deliveries in one work tree would take each other's changes for their own. Held until the run leaves. */
export function ownRepository(folder: string, force = false): Pick<Lease, 'release'> {
  const gitDir = findGitDir(folder)
  if (gitDir === undefined) throw new DeliveryError('plan_generation_failed', `${folder} is not a git repository`)
  const dir = join(gitDir, 'pawl')
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    return acquireLease(dir, { force })
  } catch (error) {
    if (!(error instanceof RunOwnedError)) {
      const what = `cannot lock ${folder}: ${(error as Error).message}`
      throw isDiskFault(error)
        ? new PawlError(20, what, 'Nothing was started.')
        : new DeliveryError('blocked_dependency', what)
    }
    const hint = 'Wait for it, or give the second one a work tree of its own: git worktree add.'
    throw new DeliveryError('blocked_dependency', `another delivery works in ${folder}: ${error.message}`, { hint })
  }
}
