import type { LoopEvent } from '../../contract/event.ts'
import type { Artifacts } from '../../ports/artifacts.ts'
import type { Inbox } from '../../ports/inbox.ts'
import type { Journal } from '../../ports/journal.ts'
import { StaleWriterError } from '../../ports/journal.ts'

/**
 * Continues after the first failed write, and writes nothing more: seed 002 requires the work to continue even if its
 * state cannot be saved. Only StaleWriterError still stops the loop.
 */
export function bestEffort(journal: Journal, onLost: (error: unknown) => void): Journal {
  let lost = false
  const trying = async <T>(action: () => Promise<T>, instead: () => T): Promise<T> => {
    if (lost) return instead()
    try {
      return await action()
    } catch (error) {
      if (error instanceof StaleWriterError) throw error
      lost = true
      onLost(error)
      return instead()
    }
  }
  return {
    load: (key) => journal.load(key),
    append: (draft) =>
      trying(
        () => journal.append(draft),
        (): LoopEvent => ({ ...draft, epoch: 0 }),
      ),
    sync: () =>
      trying(
        () => journal.sync(),
        () => undefined,
      ),
    keep: (key, seq, view) => (lost ? Promise.resolve() : journal.keep(key, seq, view)),
  }
}

/** Returns undefined for content that cannot be saved. */
export function bestEffortContent(artifacts: Artifacts, onLost: (error: unknown) => void): Artifacts {
  const trying = <T>(action: Promise<T>): Promise<T | undefined> =>
    action.catch((error: unknown) => {
      onLost(error)
      return undefined
    })
  return {
    put: (name, content) => trying(artifacts.put(name, content)),
    adopt: (path) => trying(artifacts.adopt(path)),
    get: (ref) => artifacts.get(ref),
  }
}

/** Returns no notes if the inbox cannot be read. */
export const bestEffortInbox = (inbox: Inbox, onLost: (error: unknown) => void): Inbox => ({
  take: (after) =>
    inbox.take(after).catch((error: unknown) => {
      onLost(error)
      return []
    }),
  onRing: (ring) => inbox.onRing(ring),
})
