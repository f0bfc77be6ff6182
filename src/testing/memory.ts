import type { LoopEvent, NewNote, Note } from '../contract/event.ts'
import type { Clock } from '../ports/clock.ts'
import type { Inbox, PostNote } from '../ports/inbox.ts'
import type { Journal } from '../ports/journal.ts'

/** A journal in memory. Events are copied as JSON, so that nothing survives which a file would lose. */
export function memoryJournal(events: LoopEvent[] = [], epoch = 1): Journal & { events: LoopEvent[]; syncs: number } {
  let snapshot: { key: string; seq: number; view: string } | undefined
  return {
    events,
    syncs: 0,
    async load(key) {
      const kept = snapshot?.key === key ? snapshot : undefined
      const tail = events.slice(kept?.seq ?? 0)
      return { snapshot: kept && JSON.parse(kept.view), events: iterate(tail) }
    },
    async append(draft) {
      const stored = JSON.parse(JSON.stringify({ ...draft, epoch })) as LoopEvent
      events.push(stored)
      return stored
    },
    async sync() {
      this.syncs++
    },
    async keep(key, seq, view) {
      snapshot = { key, seq, view: JSON.stringify(view) }
    },
  }
}

async function* iterate<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items
}

export function memoryInbox(notes: Note[] = []): Inbox & { post: PostNote; notes: Note[] } {
  const rings = new Set<() => void>()
  return {
    notes,
    async post(note: NewNote) {
      const numbered = { ...note, id: notes.length + 1 } as Note
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

/** A clock that jumps: short sleeps pass at once and are noted, long ones last until their signal fires. */
export function fakeClock(longerThan = 10_000): Clock & { slept: number[]; pass(ms: number): void } {
  let time = 0
  const slept: number[] = []
  return {
    slept,
    pass: (ms) => {
      time += ms
    },
    now: () => time,
    elapsed: () => time,
    sleep: (ms, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (ms > longerThan) return new Promise((_, no) => signal.addEventListener('abort', () => no(signal.reason)))
      slept.push(ms)
      time += ms
      return Promise.resolve()
    },
  }
}
