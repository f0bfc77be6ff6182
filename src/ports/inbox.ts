import type { NewNote, Note } from '../contract/event.ts'

/** Contract: notes are numbered from 1 without gaps and stay stored. `onRing` is only a hint and may fire without a new note. */
export type Inbox = {
  take(after: number): Promise<readonly Note[]>
  onRing(ring: () => void): () => void
}

/**
 * Contract: any process may post at any time; resolves once the note survives power loss; its number is above that of every
 * posted and every recorded note. Rejects with NotSavedError.
 */
export type PostNote = (note: NewNote) => Promise<Note>
