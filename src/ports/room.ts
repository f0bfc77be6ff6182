import type { Place } from './shell.ts'
import type { Tree } from './snapshots.ts'

/**
 * The clean room of one run: the work tree as it was before the first agent started, ignored files included. Contract: each `use` has the
 * files of the given tree over that copy, at the path of the work tree; nothing that one use writes is seen by another, or stays.
 */
export type Room = {
  /** The work tree when the room was made. */
  readonly start: Tree
  use<Result>(tree: Tree, verify: (place: Place) => Promise<Result>): Promise<Result>
  remove(): void
}

export type RoomOptions = {
  readonly workspace: string
  /** The room's own folder. Agents must not be able to write it. An earlier process may have made the room. */
  readonly folder: string
  /** Folders at the top of the work tree that are not part of it: those of this program. */
  readonly without: readonly string[]
}

/** Why there is no room: the words go after "verified in place: ". */
export type NoRoom = { readonly problem: string }
