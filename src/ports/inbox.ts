import type { NewNote, Note } from '../contract/event.ts'

/** Contract: notes are numbered from 1 without gaps and kept; `onRing` is only a doorbell, it may ring too often. */
export type Inbox = {
  take(after: number): Promise<readonly Note[]>
  onRing(ring: () => void): () => void
}

/** Contract: resolves once the note would survive kill -9; any process may post, at any time. */
export type PostNote = (note: NewNote) => Promise<Note>
