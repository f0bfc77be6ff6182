import type { ChangedFile } from './repository.ts'

/** A state of the work tree: the id of a git tree. */
export type Tree = string

/** `files` is complete up to 500,000; `total` counts all. */
export type Difference = {
  readonly files: readonly ChangedFile[]
  readonly total: number
  /** Folders that are now repositories of their own: git keeps their name and nothing that is in them. */
  readonly repositories: readonly string[]
}

/** What a story came to: the tree that was verified, and the tree it began with. */
export type Kept = {
  /** Names the effect, so that a crash between it and its record never doubles it: `<run>/<story>`. */
  readonly key: string
  readonly from: Tree
  readonly to: Tree
  readonly subject: string
  readonly body: string
}

/** Something in the repository stands in the way: said to a person as it is. */
export class RepositoryBlockedError extends Error {
  override name = 'RepositoryBlockedError'
}

/**
 * Contract: runs no hook, no filter, no fsmonitor; works on an index of its own, so that a killed git leaves no lock;
 * what git ignores is neither taken nor touched. Rejects with RepositoryBlockedError when the repository is in the way.
 */
export type Snapshots = {
  /** The work tree as it is now, what git ignores and the program's own folders left out. */
  take(signal?: AbortSignal): Promise<Tree>
  difference(from: Tree, to: Tree): Promise<Difference>
  /** The difference as a patch of at most 512 KiB, cut after a whole line. */
  patch(from: Tree, to: Tree): Promise<{ readonly patch: string; readonly truncated: boolean }>
  /** A file's content in a tree; undefined where it is not there, no plain file, or larger than 2 MiB. */
  read(tree: Tree, path: string): Promise<string | undefined>
  /** Puts these paths back to how they are in the tree, removing those that are not in it. Nothing else is touched. */
  restore(tree: Tree, paths: readonly string[]): Promise<void>
  /** As a commit under `refs/pawl/<key>`, on no branch. The same again is the same commit. Returns its id. */
  keep(kept: Kept): Promise<string>
  /**
   * As a commit on the current branch: only what lies between `from` and `to`, whatever else is uncommitted stays so.
   * Found again by its trailer, never made twice. null: there is nothing to commit.
   */
  commit(kept: Kept, author: { readonly name: string; readonly email: string } | undefined): Promise<string | null>
  /** The commit on this branch with that key. */
  find(key: string): Promise<string | undefined>
  /** Takes the changes of a commit back, in the work tree and, where `commit`, as a new commit on the branch. */
  undo(
    id: string,
    options: { readonly commit: boolean; readonly key: string; readonly subject: string },
  ): Promise<string | null>
}
