/** What a folder looks like at one moment. */
export type Look = {
  /** The commit; null before the first one and where there is no git. */
  readonly head: string | null
  /** null when detached, and where there is no git. */
  readonly branch: string | null
  /** Files that are changed, staged or untracked. */
  readonly dirty: number
  /** Another one whenever a file that git does not ignore has other content, something else is staged, or HEAD moved. */
  readonly fingerprint: string
}

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

/** Contract: never rejects and never takes long; undefined is unknown. Changes nothing, waits for no lock, runs no hook. */
export type Repository = {
  look(): Promise<Look | undefined>
  /** null: since before the first commit. */
  changesSince(base: string | null): Promise<Changes | undefined>
}
