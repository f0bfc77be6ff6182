import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { acquireLease } from '../../adapters/files/lease.ts'
import { findGitDir } from '../../adapters/git/git-dir.ts'
import { type Lease, RunOwnedError } from '../../ports/lease.ts'
import { DeliveryError } from './delivery-error.ts'

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
      throw new DeliveryError('blocked_dependency', `cannot lock ${folder}: ${(error as Error).message}`)
    }
    const hint = 'Wait for it, or give the second one a work tree of its own: git worktree add.'
    throw new DeliveryError('blocked_dependency', `another delivery works in ${folder}: ${error.message}`, { hint })
  }
}
