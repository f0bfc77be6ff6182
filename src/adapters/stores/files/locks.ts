import { dirname, join } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { RunOwnedError } from '../../../ports/lease.ts'
import type { Lock, LockKey } from '../../../ports/locks.ts'
import { type Disk, ignoreInGit } from './disk.ts'
import { isName } from './entries.ts'
import { acquireLease } from './lease.ts'

/** A lock is the lease of a folder that is no run. `folder` is where the program keeps its state in a workspace. */
export function acquireLock(disk: Disk, folder: string, key: LockKey, force: boolean): Lock {
  return key.of === 'name' ? lockName(disk, folder, key, force) : lockFolder(disk, key.path, force)
}

/** One run of a name at a time in a workspace, whichever folder it has. */
function lockName(
  disk: Disk,
  folder: string,
  { workspace, name }: Extract<LockKey, { of: 'name' }>,
  force: boolean,
): Lock {
  const dir = join(workspace, folder, 'state', `${name}.lock`)
  try {
    if (!isName(name)) throw new NotSavedError(`${name} cannot be the name of a run`)
    disk.mkdirSync(dir, { recursive: true, mode: 0o700 })
    ignoreInGit(disk, dirname(dir))
    return lockOf(acquireLease(dir, { disk, force }))
  } catch (error) {
    if (error instanceof RunOwnedError) throw error
    throw new PawlError(20, `cannot make ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

function lockFolder(disk: Disk, path: string, force: boolean): Lock {
  try {
    disk.mkdirSync(path, { recursive: true, mode: 0o700 })
    return lockOf(acquireLease(path, { disk, force }))
  } catch (error) {
    if (error instanceof RunOwnedError || error instanceof NotSavedError) throw error
    throw new NotSavedError((error as Error).message, { cause: error })
  }
}

const lockOf = (lease: { release(): void }): Lock => ({
  release: async () => {
    try {
      lease.release()
    } catch {
      // The next one who wants the lock finds its owner gone.
    }
  },
})
