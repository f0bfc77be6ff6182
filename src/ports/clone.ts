import type { Snapshots } from './snapshots.ts'

/** A commit of a repository that another machine has. */
export type CloneSource = { readonly url: string; readonly commit: string; readonly branch: string }

/**
 * A clone that one worker makes for one run. Contract: a snapshot is pushed before `sync` resolves, and a commit before `commit` resolves, so that
 * the next clone, on any machine, has everything that the journal names. Nothing that agents can write decides where to or how.
 */
export type Clone = {
  readonly workspace: string
  openSnapshots(ownFolders: readonly string[]): Promise<Snapshots>
  /** Removes it from this machine. `forGood`: also the snapshot that it would have been continued from. Never rejects. */
  remove(options: { readonly forGood: boolean }): Promise<void>
}

/** Returns the branch that the commits of a run are pushed to. */
export const pushedBranch = (run: string): string => `pawl/${run}`
