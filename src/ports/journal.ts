import type { Draft, LoopEvent } from '../contract/event.ts'

/** Thrown by anything that promised to keep something and could not: disk full, I/O error, lease lost. */
export class NotSavedError extends Error {
  override name = 'NotSavedError'
}

/** Another process took this run over; nothing that this one writes counts any more. */
export class StaleWriterError extends NotSavedError {
  override name = 'StaleWriterError'
}

/** The journal contradicts itself before its end. Nothing is overwritten; a person decides. */
export class CorruptJournalError extends Error {
  override name = 'CorruptJournalError'
  readonly offset: number
  constructor(path: string, offset: number, why: string, line?: number) {
    const place = line === undefined ? path : `${path}:${line}`
    super(`${place} is damaged at byte ${offset}: ${why}. Nothing was changed. To look: pawl fsck`)
    this.offset = offset
  }
}

export type Loaded = {
  /** The newest view that was kept under the same key, and `events` are only those after it. */
  readonly snapshot: unknown
  readonly events: AsyncIterable<LoopEvent>
}

/**
 * Contract: `append` is ordered and survives kill -9; `sync` survives power loss, content files included. Both reject with NotSavedError,
 * and once one has, every later one does. The writer numbers: anything but the number after the last event that it has seen is refused,
 * and the same draft once more gives the event that is stored already. The stored number is higher where the journal ends with events
 * that this version does not know.
 */
export type Journal = {
  load(key: string): Promise<Loaded>
  append(draft: Draft): Promise<LoopEvent>
  sync(): Promise<void>
  /** Contract: only a shortcut for `load`; losing it costs time, never truth. Never rejects. */
  keep(key: string, seq: number, view: unknown): Promise<void>
}
