import { type NewNote, Note } from '../../../contract/event.ts'
import type { Inbox, PostNote } from '../../../ports/inbox.ts'

/** Notes in memory, for a run that only this process can reach. */
export function memoryInbox(notes: Note[] = []): Inbox & { post: PostNote; notes: Note[] } {
  const rings = new Set<() => void>()
  return {
    notes,
    async post(note: NewNote) {
      const numbered = Note.parse(copy({ ...note, id: (notes.at(-1)?.id ?? 0) + 1 }))
      notes.push(numbered)
      for (const ring of rings) ring()
      return numbered
    },
    take: async (after) => notes.filter((note) => note.id > after),
    onRing(ring) {
      rings.add(ring)
      return () => rings.delete(ring)
    },
  }
}

const copy = (note: unknown): unknown => JSON.parse(JSON.stringify(note))
