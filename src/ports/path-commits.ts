/**
 * A file, by its path from the root of the repository, and its content. `null`: the file does not exist. `executable` counts for a new
 * file; others stay as they are.
 */
export type FileState = {
  readonly path: string
  readonly content: Uint8Array | null
  readonly executable?: boolean | undefined
}

/** A commit of this program, recognized by its trailers. */
export type TrailedCommit = {
  readonly id: string
  /** Commit time in milliseconds since the epoch. */
  readonly at: number
  readonly subject: string
  readonly trailers: Readonly<Record<string, string>>
}

export type PathCommit = {
  readonly changes: readonly FileState[]
  readonly subject: string
  readonly body?: string
  /** Identify the commit: if HEAD's history already has one with the same trailers, no second one is made. */
  readonly trailers: Readonly<Record<string, string>>
  readonly author?: { readonly name: string; readonly email: string } | undefined
}

/** A file before and after a commit. */
export type FileChange = {
  readonly path: string
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
  /** It could be executed before. */
  readonly wasExecutable?: true
}

/**
 * Commits of single files in a repository that also holds other work. Contract: runs no hooks, filters or fsmonitor; uses its own index,
 * so that a killed git leaves no lock; other files, staged or not, stay as they are. Never writes a file of the work tree. Rejects with
 * RepositoryBlockedError if the state of the repository prevents the operation.
 */
export type PathCommits = {
  /** The root of the work tree. Every path is relative to it. */
  readonly root: string
  /** Returns the files under a folder that differ from HEAD: changed, deleted, or new and not ignored. Sorted. */
  listUncommitted(folder: string): Promise<readonly string[]>
  /**
   * Commits exactly these contents on the current branch and adds them to the user's index. Returns the commit's id. null: the files are
   * already so. After a crash anywhere, the next call makes the commit or finds it.
   */
  commit(commit: PathCommit): Promise<string | null>
  /** Returns the commits of HEAD's history that touch a folder and have at least one of these trailers, newest first. */
  log(folder: string, trailers: readonly string[]): Promise<readonly TrailedCommit[]>
  /** Returns the commits that changed a file since a commit, newest first. */
  changedSince(id: string, path: string): Promise<readonly Omit<TrailedCommit, 'trailers'>[]>
  /** Returns each file that a commit changed, as it was in the commit's first parent and as it is in the commit. */
  changes(id: string): Promise<readonly FileChange[]>
  /** Returns a file's content in a commit; null if it has no such file. `id` may be HEAD. */
  read(id: string, path: string): Promise<Uint8Array | null>
}
