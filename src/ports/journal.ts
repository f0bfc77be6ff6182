import type { Draft, LoopEvent } from '../contract/event.ts'

/** State could not be saved: disk full, I/O error, lease lost. */
export class NotSavedError extends Error {
  override name = 'NotSavedError'
}

/** Another process took over this run; nothing this process writes counts any more. */
export class StaleWriterError extends NotSavedError {
  override name = 'StaleWriterError'
}

/** The journal is inconsistent before its last line. It is never overwritten: a person has to decide. */
export class CorruptJournalError extends Error {
  override name = 'CorruptJournalError'
  /** `place`: file, line and byte, or table and row. */
  constructor({ place, byte, why }: { readonly place: string; readonly byte?: number; readonly why: string }) {
    super(`${place} is damaged${byte === undefined ? '' : ` at byte ${byte}`}: ${why}`)
  }
}

export type Loaded = {
  /** The newest view saved under the same key, or undefined. `events` are only those after it. */
  readonly snapshot: unknown
  readonly events: AsyncIterable<LoopEvent>
  /**
   * Returns how long the last writer is known to have worked after its last event, by its monotonic clock, if it crashed. Absent
   * if crashes are impossible. Contract: call it after all events are read.
   */
  readonly lostMs?: () => number
}

/**
 * Contract: `append` is ordered and survives kill -9; after `sync` events and content survive power loss. Both reject with
 * NotSavedError, and after the first rejection every later call rejects too. The caller numbers its drafts: a draft must follow
 * the last event the caller has seen, and appending the same draft again returns the stored event. The stored number is higher
 * if the journal ends with events that this version does not know.
 */
export type Journal = {
  load(key: string): Promise<Loaded>
  append(draft: Draft): Promise<LoopEvent>
  sync(): Promise<void>
  /** Saves a snapshot for `load`. Contract: only a cache, so losing one is harmless; never rejects. */
  keep(key: string, seq: number, view: unknown): Promise<void>
}
