import type { Changes } from '../contract/changes.ts'

export type { ChangedFile, Changes, Commit } from '../contract/changes.ts'

/** The state of a work tree at one moment. */
export type Look = {
  /** The current commit; null before the first one and outside a repository. */
  readonly head: string | null
  /** null for a detached HEAD and outside a repository. */
  readonly branch: string | null
  /** Number of changed, staged or untracked files. */
  readonly dirty: number
  /** Changes whenever a file that git does not ignore changes, the index changes, or HEAD moves. */
  readonly fingerprint: string
  /** Git's message about a repository that it cannot read. The other fields are then those of a folder without git. */
  readonly problem?: string
}

/** Contract: read-only, takes no lock and runs no hook. Never rejects and returns quickly; undefined means unknown. */
export type Repository = {
  look(): Promise<Look | undefined>
  /** `base` null: since before the first commit. */
  changesSince(base: string | null): Promise<Changes | undefined>
}
