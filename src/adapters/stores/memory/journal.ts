import type { Draft, LoopEvent } from '../../../contract/event.ts'
import { type Journal, NotSavedError } from '../../../ports/journal.ts'

export type MemoryJournalOptions = {
  /** Stores the newest view for the next journal of the same run. */
  readonly views?: { newest?: SavedView }
  /** Throws if another owner has taken over the run. */
  readonly check?: () => void
  readonly onAppend?: () => void
}
export type SavedView = { readonly key: string; readonly seq: number; readonly view: string }

/** A journal in memory. Copies events as JSON, so it loses the same data as a file would. */
export function memoryJournal(
  events: LoopEvent[] = [],
  epoch = 1,
  { views = {}, check = () => {}, onAppend = () => {} }: MemoryJournalOptions = {},
): Journal & { events: LoopEvent[]; syncs: number } {
  let last: { readonly draft: string; readonly event: LoopEvent } | undefined
  let broken: Error | undefined

  return {
    events,
    syncs: 0,
    async load(key) {
      check()
      const saved = views.newest?.key === key ? views.newest : undefined
      const tail = events.filter(({ seq }) => seq > (saved?.seq ?? 0))
      return { snapshot: saved && JSON.parse(saved.view), events: iterate(tail) }
    },
    append: async (draft) => guarded(() => addEvent(draft)),
    async sync() {
      if (broken) throw broken
      this.syncs++
    },
    async keep(key, seq, view) {
      if (!broken) views.newest = { key, seq, view: JSON.stringify(view) }
    },
  }

  function addEvent(draft: Draft): LoopEvent {
    check()
    const text = JSON.stringify(draft)
    if (last?.draft === text) return last.event
    const before = events.at(-1)?.seq ?? 0
    if (draft.seq !== before + 1) throw new NotSavedError(`event ${draft.seq} does not follow event ${before}`)
    const event = { ...JSON.parse(text), epoch } as LoopEvent
    events.push(event)
    last = { draft: text, event }
    onAppend()
    return event
  }

  /** After one failure, every call fails, as in every journal. */
  function guarded<T>(action: () => T): T {
    if (broken) throw broken
    try {
      return action()
    } catch (error) {
      broken = error as Error
      throw error
    }
  }
}

async function* iterate<T>(items: readonly T[]): AsyncIterable<T> {
  yield* items
}
