import type { LoopEvent } from '../../../contract/event.ts'
import type { Journal } from '../../../ports/journal.ts'

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
