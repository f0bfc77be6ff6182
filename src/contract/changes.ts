export type Commit = { readonly id: string; readonly subject: string }

export type ChangedFile = {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted'
  /** Number of lines; null for files that are binary or too large to count. */
  readonly added: number | null
  readonly deleted: number | null
}

/** Committed and uncommitted changes since a commit. Lists are truncated, totals are not. */
export type Changes = {
  readonly head: string | null
  /** `rewritten`: the commit is no longer an ancestor of HEAD. `lost`: the commit no longer exists, and the lists are empty. */
  readonly history: 'continued' | 'rewritten' | 'lost'
  /** Newest first. */
  readonly commits: readonly Commit[]
  readonly totalCommits: number
  readonly files: readonly ChangedFile[]
  readonly totalFiles: number
  readonly added: number
  readonly deleted: number
  /** Number of files that are changed, staged or untracked now. */
  readonly uncommitted: number
}
