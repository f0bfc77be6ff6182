/**
 * Keeps others out of something that is not the run itself. `name`: one run of that name in a workspace, wherever it runs, so the store
 * answers. `folder`: one run that changes this work tree on this machine.
 */
export type LockKey =
  | { readonly of: 'name'; readonly workspace: string; readonly name: string }
  | { readonly of: 'folder'; readonly path: string }

export type Lock = {
  /** Contract: may be called twice; never rejects. */
  release(): Promise<void>
}

/** Contract: rejects with RunOwnedError while a living owner holds it, unless `force`; with NotSavedError where nothing can be written. */
export type Locks = { acquire(key: LockKey, options?: { readonly force?: boolean }): Promise<Lock> }

export const noLock: Lock = { release: async () => {} }
