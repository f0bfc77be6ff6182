import type { Draft, LoopEvent, NewNote, Note } from '../contract/event.ts'
import type { Card } from '../contract/show.ts'
import type { Ref } from '../contract/values.ts'
import type { Inbox } from './inbox.ts'
import type { Journal } from './journal.ts'
import type { Owner } from './lease.ts'
import type { Locks } from './locks.ts'

/** The part of a run that a store knows without loading its mode. */
export type RunEntry = {
  readonly id: string
  readonly mode: string
  readonly name: string
  readonly workspace: string
  readonly created: string
  /** Accepted by `open` and shown to people: a folder, or `postgres:<id>`. Only the store may parse it. */
  readonly address: string
  /** Hash of the request that this user started or trusted. Stored where no repository can write. */
  readonly trusted?: string | undefined
  /** Workers execute it; other processes only start it, read it and post notes. */
  readonly queued?: boolean | undefined
}

/** A run in a list. Made without folding its journal. */
export type RunListing = RunEntry & {
  /** undefined until the run has saved once, or if the card cannot be read. */
  readonly card?: Card | undefined
  /** Number of the last stored event; 0 before the first. Greater than `card.seq` after a crash between two saves. */
  readonly seq: number
  readonly owner?: Owner | undefined
  /** Why the run cannot be read. It is listed anyway. */
  readonly problem?: string | undefined
}

/**
 * Content stored next to the journal. Contract: writes are atomic; `put` and `adopt` reject with NotSavedError; content that was put
 * before `journal.sync()` survives power loss once that resolves; the same bytes under the same name give the same Ref.
 */
export type Content = {
  /** `name` is a label for people, never a path. */
  put(name: string, content: string | Uint8Array): Promise<Ref>
  /** Rejects if the content is missing or does not match the Ref. */
  get(ref: Ref): Promise<Uint8Array>
  has(ref: Ref): Promise<boolean>
}

/** A stored request. Kept as text, because its hash is what was pinned and trusted. `where` names it for people. */
export type FrozenText = { readonly text: string; readonly sha256: string; readonly where: string }

/** Events in pages: one promise per event would be slower than reading them. */
export type Pages = AsyncIterable<readonly LoopEvent[]>

export type Reading = {
  /** The newest saved view whose key matches, or undefined. `last` is its last event; `events` are only those after it. */
  readonly snapshot: unknown
  readonly last: LoopEvent | undefined
  readonly events: Pages
}

/** A problem in the stored data, for `pawl fsck`. */
export type Finding = { readonly seq?: number; readonly says: string }

/** A run that is open for reading. Nothing here needs the lease or changes the journal. */
export type StoredRun = {
  readonly entry: RunEntry
  /** Returns the original request, then each amendment, oldest first. Contract: an amendment counts once an `amend` note names it. */
  requests(): Promise<readonly [FrozenText, ...FrozenText[]]>
  /** Stores a changed request, safe from power loss, and returns the Ref to name in an `amend` note. */
  amend(text: string): Promise<Ref>
  owner(): Promise<Owner | undefined>
  /**
   * Reads the valid events. Contract: skips torn lines and lines of a stale owner without repairing them; throws
   * CorruptJournalError, with the place, if the journal is inconsistent.
   */
  read(options?: { readonly snapshot?: (key: string) => boolean; readonly upTo?: number }): Promise<Reading>
  /** Yields events after `seq`, including future ones, until the signal fires. Contract: each once and in order, also when the owner changes. */
  follow(seq: number, signal: AbortSignal): Pages
  /** Returns the place of an event for people: file and line, or table and row. */
  place(seq: number): Promise<string>
  /** Any process may put content, such as the text of an answer. Call `flush` before posting the note that names it. */
  readonly content: Content & { flush(): Promise<void> }
  /** Posts a note; any process may do so at any time. Contract: see `PostNote`. */
  post(note: NewNote): Promise<Note>
  /** Returns the names of process outputs, the last one written at the end; includes processes that are still running. */
  outputs(): Promise<readonly string[]>
  /** Reads up to 1 MiB of a process output, starting at byte `from`; a negative `from` counts from the end. undefined: no such output. */
  output(name: string, from: number): Promise<{ readonly bytes: Uint8Array; readonly from: number } | undefined>
  /** Read and write small JSON documents derived from the journal. Contract: writes are atomic; `keep` never rejects. */
  kept(slot: Slot): Promise<unknown>
  keep(slot: Slot, value: unknown): Promise<void>
  /** False if a best-effort run continued after it could no longer write its journal. */
  isWhole(): Promise<boolean>
  /** Adds a local file to the run under this name, such as the log of a detached process. */
  attach(name: string, path: string): Promise<void>
  /** Returns the location of a log for people, such as its full path. */
  where(log: string): string
  /** Total size in bytes. */
  size(): Promise<number>
  /** Checks everything and changes nothing. Finds torn lines, lines that do not count, and missing content. */
  check(): Promise<readonly Finding[]>
  /**
   * Makes this process the only writer. Contract: rejects with RunOwnedError unless the owner is provably dead or `takeOver` is set;
   * the epoch increases; the former owner's next append rejects with StaleWriterError.
   */
  hold(options: HoldOptions): Promise<HeldRun>
}

/**
 * `result`: `result.json`, pretty-printed. `card`: the entry in lists. `notified`: the last event that notifications were sent for.
 * `state`: a run that is paused or waits, as one document for other programs.
 */
export type Slot = 'result' | 'card' | 'notified' | 'state'
export type HoldOptions = { readonly takeOver?: boolean; readonly onRepair: (what: string) => void }

/** A run that this process holds as its only writer. */
export type HeldRun = {
  readonly epoch: number
  /** Fires as soon as this process knows that it may not write any more: its work must stop at once. Absent if a lease cannot end. */
  readonly lost?: AbortSignal
  readonly journal: Journal
  readonly inbox: Inbox
  /** Survives power loss after `journal.sync()`. */
  readonly content: Content
  /**
   * A local folder for files that processes need: prompts, logs, files an agent hands over. It has the subfolders `attempts` and
   * `hand-over`. In the files store it is the run's own folder, in other stores a temporary one.
   */
  readonly folder: string
  /** Returns a local path with this content, for a process that reads it, such as an agent's prompt. Contract: never for encrypted content. */
  file(ref: Ref): Promise<string>
  /** Stores a file in `folder` as content. */
  adopt(path: string): Promise<Ref>
  /** Records that a best-effort run lost its journal. Works even on a full disk. */
  markBroken(): void
  /** Contract: may be called more than once; never rejects. */
  release(): Promise<void>
}

export type NewRun = {
  readonly entry: Omit<RunEntry, 'address' | 'trusted'>
  /**
   * Called with the content of the new run before anybody can see it. The run exists once this returns: an earlier crash leaves
   * nothing in `list`. `history`: events a fork starts with; its notes keep their numbers. `notes`: posted after the history.
   */
  readonly freeze: (content: Content) => Promise<{
    readonly request: string
    readonly history?: readonly Draft[]
    readonly notes?: readonly NewNote[]
  }>
  /** A folder the caller chose, such as an out-dir. A store without folders refuses it. */
  readonly at?: string
  /** Creates the run among temporary files, because the default place is not writable. */
  readonly temporary?: boolean
  /** False for runs that a control plane manages itself (`pawl execute`): `list` omits them, `open(address)` finds them. */
  readonly listed: boolean
}

/** Stores runs. A new store must pass the suite in `src/testing/run-store-suite.ts`. */
export type RunStore = Locks & {
  readonly name: string
  /** Contract: rejects with PawlError 20 if the run cannot be saved, and then leaves nothing behind. */
  create(run: NewRun): Promise<StoredRun>
  /** Opens a run by id or address. undefined: no such run. */
  open(address: string): Promise<StoredRun | undefined>
  /** Lists runs, newest first. A damaged run is listed with its problem. */
  list(filter: { readonly workspace?: string; readonly limit?: number }): Promise<readonly RunListing[]>
  /** Resolves when it watches: a list made after that misses no change. Yields the id of a run that may be new or changed, perhaps too often. */
  watch(signal: AbortSignal): Promise<AsyncIterable<string>>
  trust(entry: RunEntry, sha256: string): Promise<void>
  /** Contract: rejects with RunOwnedError while the run has an owner. Returns the number of bytes freed. */
  remove(entry: RunEntry): Promise<number>
}
