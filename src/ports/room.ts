import type { Place } from './shell.ts'
import type { Tree } from './snapshots.ts'

/**
 * The clean room of one run: the work tree as it was before the first agent started, ignored files included. Contract: each `use` has the
 * files of the given tree over that copy; nothing that one use writes is seen by another, or stays. Caches of the user and
 * temporary files are as they were when the room was made: files that changed since are not there.
 */
export type Room = {
  /** `overlay`: at the path of the work tree. `copy`: in a folder of its own, copied for each use. */
  readonly means: 'overlay' | 'copy'
  /** Caches that agents can write and that cannot be kept as they were. */
  readonly shares?: readonly string[]
  /** What is not in the room, each with the reason: too large, or not readable. */
  readonly left: readonly string[]
  /** The work tree when the room was made. */
  readonly start: Tree
  /** True if the work tree had this path when the room was made. */
  had(path: string): boolean
  use<Result>(tree: Tree, verify: (place: Place) => Promise<Result>, options?: UseOptions): Promise<Result>
  /**
   * Runs `install` with the files of the tree. What it writes beside them becomes a layer, unless it returns an answer: that is why it failed.
   * A layer of the same key is made once.
   */
  install<Failure>(
    key: string,
    tree: Tree,
    install: (place: Place) => Promise<Failure | undefined>,
  ): Promise<{ readonly layer: Layer } | { readonly failed: Failure }>
  /** Runs `change` with the files of the tree, and returns those of the given paths that it changed, with their new content. */
  change<Failure>(
    tree: Tree,
    paths: readonly string[],
    change: (place: Place) => Promise<Failure | undefined>,
  ): Promise<{ readonly texts: Readonly<Record<string, string>> } | { readonly failed: Failure }>
  /** Call it after an agent has run: its changes to caches are looked for again. */
  agentRan(): void
  /** Call it when no agent of the run is left. What changes in ignored files afterwards is the work of people: a room that is opened again has it. */
  leave(): void
  remove(): void
}

export type UseOptions = {
  readonly layer?: Layer | undefined
  /** The repository in it is empty: nobody can ask it for other versions of a file. */
  readonly withoutHistory?: boolean | undefined
}

/** What an installation wrote, to be laid between the start and the tree, and over the caches. */
export type Layer = { readonly folder: string; readonly caches?: string }

export type RoomOptions = {
  readonly workspace: string
  /** The room's own folder. Agents must not be able to write it. An earlier process may have made the room. */
  readonly folder: string
  /** Folders at the top of the work tree that are not part of it: those of this program. */
  readonly without: readonly string[]
  /** The files must be where every process sees them, as containers do. */
  readonly onRealPath?: boolean
}

/** Why there is no room: the words go after "verified in place: ". */
export type NoRoom = { readonly problem: string }
