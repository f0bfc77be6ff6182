/**
 * A lock on something other than the run itself. `name`: allows one run of that name in a workspace, on any machine, so the store
 * holds the lock. `folder`: allows one run that changes this work tree, on this machine. `by` names that run to others.
 */
export type LockKey =
  | { readonly of: 'name'; readonly workspace: string; readonly name: string }
  | { readonly of: 'folder'; readonly path: string; readonly by?: string }

export type Lock = {
  /** Contract: may be called more than once; never rejects. */
  release(): Promise<void>
}

/** Contract: rejects with RunOwnedError while a live owner holds it, unless `force`; with NotSavedError if the lock cannot be written. */
export type Locks = { acquire(key: LockKey, options?: { readonly force?: boolean }): Promise<Lock> }

export const noLock: Lock = { release: async () => {} }
