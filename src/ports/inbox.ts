import type { NewNote, Note } from '../contract/event.ts'

/** Contract: notes are numbered from 1 without gaps and stay stored. `onRing` is only a hint and may fire without a new note. */
export type Inbox = {
  take(after: number): Promise<readonly Note[]>
  onRing(ring: () => void): () => void
}

/** Contract: resolves once the note survives kill -9. Any process may post at any time. */
export type PostNote = (note: NewNote) => Promise<Note>
