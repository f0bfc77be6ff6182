import { join } from 'node:path'
import { PawlError } from '../contract/exit.ts'
import { NotSavedError } from '../ports/journal.ts'
import { RunOwnedError } from '../ports/lease.ts'
import { type Lock, noLock } from '../ports/locks.ts'
import type { Machine } from './machine.ts'

export type LockingRun = { readonly workspace: string; readonly name: string; readonly force?: boolean }

/**
 * Allows one run of any mode at a time in a work tree: a run would commit what the agent of another one wrote. A folder
 * without git has no lock, because nothing is committed there.
 */
export async function lockWorkTree(
  { git, store }: Machine,
  { workspace, name, force = false }: LockingRun,
): Promise<Lock> {
  const gitFolder = git.findGitFolder(workspace)
  if (gitFolder === undefined) return noLock
  try {
    return await store.acquire({ of: 'folder', path: join(gitFolder, 'pawl'), by: name }, { force })
  } catch (error) {
    if (error instanceof NotSavedError) {
      const exit = isTransient(error) ? 20 : 10
      throw new PawlError(exit, `cannot lock ${workspace}: ${error.message}`, 'Nothing was started.', 'not_saved')
    }
    if (!(error instanceof RunOwnedError)) throw error
    const { by } = error.owner ?? {}
    const both = 'To run both at once: git worktree add.'
    const hint = (pawl: string): string => (by ? `To watch: ${pawl} logs -f ${by}. ${both}` : both)
    throw new PawlError(10, `${by ?? 'another run'} is working in ${workspace}: ${error.message}`, hint, 'owned')
  }
}

const transientCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EMFILE', 'ENFILE'])

/** Tells whether the error may pass by itself, such as a full disk. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return transientCodes.has((error as NodeJS.ErrnoException).code ?? '') || isTransient(error.cause)
}
