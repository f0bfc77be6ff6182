import type { Draft, LoopEvent } from '../contract/event.ts'

/** Thrown by anything that promised to keep something and could not: disk full, I/O error, lease lost. */
export class NotSavedError extends Error {
  override name = 'NotSavedError'
}

/** Another process took this run over; nothing that this one writes counts any more. */
export class StaleWriterError extends NotSavedError {
  override name = 'StaleWriterError'
}

export type Loaded = {
  /** The newest view that was kept under the same key, and `events` are only those after it. */
  readonly snapshot: unknown
  readonly events: AsyncIterable<LoopEvent>
}

/**
 * Contract: `append` numbers what it stores, is ordered and survives kill -9; `sync` survives power loss, content files included.
 * Both reject with NotSavedError, and once one has, every later one does.
 */
export type Journal = {
  load(key: string): Promise<Loaded>
  append(draft: Draft): Promise<LoopEvent>
  sync(): Promise<void>
  /** Contract: only a shortcut for `load`; losing it costs time, never truth. Never rejects. */
  keep(key: string, seq: number, view: unknown): Promise<void>
}
