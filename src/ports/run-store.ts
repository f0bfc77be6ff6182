import type { Draft, LoopEvent, NewNote, Note } from '../contract/event.ts'
import type { Card } from '../contract/show.ts'
import type { Ref } from '../contract/values.ts'
import type { Inbox } from './inbox.ts'
import type { Journal } from './journal.ts'
import type { Owner } from './lease.ts'
import type { Locks } from './locks.ts'

/** What a store knows of a run without loading its mode. */
export type RunEntry = {
  readonly id: string
  readonly mode: string
  readonly name: string
  readonly workspace: string
  readonly created: string
  /** What `open` takes and people read: a folder, or `postgres:<id>`. Never taken apart above the store. */
  readonly address: string
  /** The hash of the request that this person has started or trusted. Kept where no repository can write it. */
  readonly trusted?: string | undefined
}

/** An entry with what a list shows. No journal is folded for it. */
export type RunListing = RunEntry & {
  /** undefined until the run has saved once, and where it cannot be read. */
  readonly card?: Card | undefined
  /** Of the last stored event; 0 before the first. Greater than `card.seq` after a crash between two saves. */
  readonly seq: number
  readonly owner?: Owner | undefined
  /** Why it cannot be read. It is listed all the same. */
  readonly problem?: string | undefined
}

/**
 * Content beside the journal. Contract: whole or absent; `put` and `adopt` reject with NotSavedError; what was put before `journal.sync()`
 * resolves is safe with it; the same bytes under the same name are the same Ref.
 */
export type Content = {
  /** `name` is a hint for people, never a path. */
  put(name: string, content: string | Uint8Array): Promise<Ref>
  /** Rejects where it is missing or not what the Ref says. */
  get(ref: Ref): Promise<Uint8Array>
  has(ref: Ref): Promise<boolean>
}

/** A request as it is stored. Text, since its hash is what was pinned and trusted. `where` names it for people. */
export type FrozenText = { readonly text: string; readonly sha256: string; readonly where: string }

/** Events in pages, because a promise for each of 20,000 events would take longer than reading them. */
export type Pages = AsyncIterable<readonly LoopEvent[]>

export type Reading = {
  /** The newest kept view whose key fits; `events` are only those after it, and `last` is the event that it ends with. */
  readonly snapshot: unknown
  readonly last: LoopEvent | undefined
  readonly events: Pages
}

/** Something wrong in what is stored, for fsck. */
export type Finding = { readonly seq?: number; readonly says: string }

/** A run for anybody who may read it. Nothing here needs the lease or changes the journal. */
export type StoredRun = {
  readonly entry: RunEntry
  /** The request that the run was started with, then each amendment, oldest first. */
  requests(): Promise<readonly [FrozenText, ...FrozenText[]]>
  /** Adds a request that the run goes by from now on, safe from power loss, and returns the Ref that an `amend` note names it by. */
  amend(text: string): Promise<Ref>
  owner(): Promise<Owner | undefined>
  /**
   * Events that count. Contract: skips what does not count (torn lines, lines of a stale owner) without repairing it; throws
   * CorruptJournalError with the place where the journal contradicts itself.
   */
  read(options?: { readonly snapshot?: (key: string) => boolean; readonly upTo?: number }): Promise<Reading>
  /** Events after `seq`, then those to come, until the signal fires. Contract: each once and in order, also across a change of owner. */
  follow(seq: number, signal: AbortSignal): Pages
  /** Names the place of an event for people: file and line, or table and row. */
  place(seq: number): Promise<string>
  /** Anybody may put: an answer's text lies there before its note names it. Call `flush` before the note is posted. */
  readonly content: Content & { flush(): Promise<void> }
  /** Any process may post, at any time. Resolves once the note would survive kill -9. */
  post(note: NewNote): Promise<Note>
  /** Names of what processes have printed, the one that was written last at the end; also of one that still runs. */
  outputs(): Promise<readonly string[]>
  /** What a process printed from a byte on, at most 1 MiB; `from` below 0 counts from the end. undefined: there is none of that name. */
  output(name: string, from: number): Promise<{ readonly bytes: Uint8Array; readonly from: number } | undefined>
  /** Small JSON documents that are projections or marks, never the truth. Contract: whole or absent; `keep` never rejects. */
  kept(slot: Slot): Promise<unknown>
  keep(slot: Slot, value: unknown): Promise<void>
  /** False once a best-effort run has lost its journal: what it did then is known to nobody. */
  isWhole(): Promise<boolean>
  /** A file of this machine becomes part of the run under this name, such as the log of a detached process. */
  attach(name: string, path: string): Promise<void>
  /** Names a log of the run for people, such as its whole path. */
  where(log: string): string
  /** In bytes, of everything. */
  size(): Promise<number>
  /** Reads everything, changes nothing: torn bytes, lines that do not count, content that is missing. */
  check(): Promise<readonly Finding[]>
  /**
   * Becomes the one writer. Contract: rejects with RunOwnedError unless the owner is provably gone or `takeOver`; the next epoch is
   * higher; the former owner's next append rejects with StaleWriterError.
   */
  hold(options: HoldOptions): Promise<HeldRun>
}

/** `result` is `result.json`, pretty-printed; `card` is what lists show; `notified` is up to which event people were told. */
export type Slot = 'result' | 'card' | 'notified'
export type HoldOptions = { readonly takeOver?: boolean; readonly onRepair: (what: string) => void }

/** A run for its one writer. */
export type HeldRun = {
  readonly epoch: number
  readonly journal: Journal
  readonly inbox: Inbox
  /** Made safe by `journal.sync()`. */
  readonly content: Content
  /**
   * A folder of this machine for what processes must be given as files: prompts, logs, what an agent hands over. In the files store it is
   * the run's own folder, elsewhere a temporary one, with the folders `attempts` and `hand-over`.
   */
  readonly folder: string
  /** A path of this machine that holds this content, for a process that reads it: an agent's prompt. Contract: never for sealed content. */
  file(ref: Ref): Promise<string>
  /** A file in `folder` becomes content. */
  adopt(path: string): Promise<Ref>
  /** A best-effort run has lost its journal. Works on a full disk too. */
  markBroken(): void
  /** Contract: may be called twice; never rejects. */
  release(): Promise<void>
}

export type NewRun = {
  readonly entry: Omit<RunEntry, 'address' | 'trusted'>
  /**
   * Called with the content of a run that nobody can see yet. What it returns makes the run: a crash before leaves nothing that `list`
   * shows. `history` is what a fork has lived through already; its notes keep their numbers. `notes` are posted after that.
   */
  readonly freeze: (content: Content) => Promise<{
    readonly request: string
    readonly history?: readonly Draft[]
    readonly notes?: readonly NewNote[]
  }>
  /** A place of the caller's choice, such as an out-dir. A store that has no such places refuses. */
  readonly at?: string
  /** Among temporary files, where the usual place cannot be written. */
  readonly temporary?: boolean
  /** Runs that a control plane keeps for itself (`execute`) are in no list; `open(address)` still finds them. */
  readonly listed: boolean
}

/** Where runs are. Contract: `src/testing/run-store-suite.ts`. */
export type RunStore = Locks & {
  readonly name: string
  /** Contract: rejects with PawlError 20 where it cannot be kept, and then nothing is left of it. */
  create(run: NewRun): Promise<StoredRun>
  /** By id or by address. undefined: no such run here. */
  open(address: string): Promise<StoredRun | undefined>
  /** Newest first. A damaged run is in the list, with its problem. */
  list(filter: { readonly workspace?: string; readonly limit?: number }): Promise<readonly RunListing[]>
  /** A doorbell: the id of a run that may have changed or is new. It may ring too often. */
  watch(signal: AbortSignal): AsyncIterable<string>
  trust(entry: RunEntry, sha256: string): Promise<void>
  /** Contract: refuses with RunOwnedError while somebody owns it. Returns the bytes that were freed. */
  remove(entry: RunEntry): Promise<number>
}
