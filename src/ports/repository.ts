import type { Changes } from '../contract/changes.ts'

export type { ChangedFile, Changes, Commit } from '../contract/changes.ts'

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

/** Contract: never rejects and never takes long; undefined is unknown. Changes nothing, waits for no lock, runs no hook. */
export type Repository = {
  look(): Promise<Look | undefined>
  /** null: since before the first commit. */
  changesSince(base: string | null): Promise<Changes | undefined>
}
