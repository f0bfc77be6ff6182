import type { ChangedFile } from './repository.ts'

/** A snapshot of the work tree: the id of a git tree. */
export type Tree = string

/** `files` lists at most 500,000 files; `total` counts all. */
export type Difference = {
  readonly files: readonly ChangedFile[]
  readonly total: number
  /** Folders that became nested repositories: git records their name but not their content. */
  readonly repositories: readonly string[]
  /** Submodules whose new commit is not there. */
  readonly absent: readonly string[]
}

/** The result of a story: the tree it started from and the tree that was verified. */
export type VerifiedTree = {
  /** Idempotency key `<run>/<story>`: a crash between the commit and its record never creates a second commit. */
  readonly key: string
  readonly from: Tree
  readonly to: Tree
  readonly subject: string
  readonly body: string
}

/** The state of the repository prevents the operation. The message is shown to the user unchanged. */
export class RepositoryBlockedError extends Error {
  override name = 'RepositoryBlockedError'
}

/**
 * Contract: runs no hooks or fsmonitor, and no filters but those of the user's own config; uses its own index, so that a killed git leaves no lock; neither reads nor
 * changes files that git ignores. Rejects with RepositoryBlockedError if the state of the repository prevents the operation.
 */
export type Snapshots = {
  /** Snapshots the work tree, without ignored files and the program's own folders. */
  take(signal?: AbortSignal): Promise<Tree>
  difference(from: Tree, to: Tree): Promise<Difference>
  /** Returns the difference as a patch of at most 512 KiB, cut after a complete line. */
  patch(from: Tree, to: Tree): Promise<{ readonly patch: string; readonly truncated: boolean }>
  /** Returns a file's content in a tree; undefined if it is missing, not a regular file, or larger than 2 MiB. */
  read(tree: Tree, path: string): Promise<string | undefined>
  /** Returns the contents of these files in a tree, without those that are missing, no text files, or larger than 2 MiB; at most 32 MiB in all. */
  readAll(tree: Tree, paths: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** Returns the paths of all files in a tree. */
  list(tree: Tree): Promise<readonly string[]>
  /** Returns the paths that git ignores in the work tree. A folder of which everything is ignored ends with a slash. */
  listIgnored(): Promise<readonly string[]>
  /** Returns the paths of all folders in a tree. */
  listFolders(tree: Tree): Promise<ReadonlySet<string>>
  /** Makes a tree and the files that it was taken from survive a power loss. `from` is a tree or commit that does already. */
  sync(from: Tree, to: Tree): Promise<void>
  /**
   * Writes the files of a tree that differ from another one into an empty folder, beside a small repository that has the tree as its index.
   * That repository needs git's objects, whose path is returned, at `.git/base`. `gone` are paths that only the other tree has.
   */
  checkOut(
    tree: Tree,
    from: Tree,
    folder: string,
  ): Promise<{ readonly objects: string; readonly gone: readonly string[] }>
  /** Returns `tree` with these paths as they are in `from`, or without them if they are not there. A path in `texts` gets that content. */
  combine(tree: Tree, from: Tree, paths: readonly string[], texts: Readonly<Record<string, string>>): Promise<Tree>
  /** Restores these paths to their state in the tree and removes those the tree does not have. Changes nothing else. */
  restore(tree: Tree, paths: readonly string[]): Promise<void>
  /** Commits under `refs/pawl/<key>`, on no branch, and returns the commit id. Repeating it returns the same commit. */
  keep(kept: VerifiedTree): Promise<string>
  /**
   * Commits only the changes between `from` and `to` on the current branch; other uncommitted changes stay uncommitted. A trailer
   * identifies the commit, so it is never made twice. null: nothing to commit.
   */
  commit(
    kept: VerifiedTree,
    author: { readonly name: string; readonly email: string } | undefined,
  ): Promise<string | null>
  /** Returns the keys of the stories that HEAD no longer contains, because they were reset away or reverted. */
  findLost(stories: readonly Pick<VerifiedTree, 'key' | 'from' | 'to'>[]): Promise<readonly string[]>
  /** Reverts a commit in the work tree and, if `commit` is set, as a new commit on the branch. */
  undo(
    id: string,
    options: { readonly commit: boolean; readonly key: string; readonly subject: string },
  ): Promise<string | null>
}

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
