export type Commit = { readonly id: string; readonly subject: string }

export type ChangedFile = {
  readonly path: string
  readonly status: 'added' | 'modified' | 'deleted'
  /** Lines; null for what is binary or too big to count. */
  readonly added: number | null
  readonly deleted: number | null
}

/** What happened since a commit, committed or not. Lists are cut, totals are not. */
export type Changes = {
  readonly head: string | null
  /** `rewritten`: the commit is no ancestor any more. `lost`: git does not know it any more, and the lists are empty. */
  readonly history: 'continued' | 'rewritten' | 'lost'
  /** Newest first. */
  readonly commits: readonly Commit[]
  readonly totalCommits: number
  readonly files: readonly ChangedFile[]
  readonly totalFiles: number
  readonly added: number
  readonly deleted: number
  /** Files that are changed, staged or untracked now. */
  readonly uncommitted: number
}
