import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { View } from '../../kernel/policy.ts'
import type { Watched } from '../../show/show.ts'

type EventTold = (() => void | Promise<void>) | false

/** Calls in the order in which they came, each after what it waits for. What a listener throws never stops a run. */
export function notifyInTurn(): ((before: EventTold, call: () => void) => void) & { done(): Promise<void> } {
  let waiting = 0
  let queue: Promise<void> = Promise.resolve()
  const inPeace = async (call: EventTold): Promise<void> => {
    try {
      if (call) await call()
    } catch {}
  }
  const tell = (before: EventTold, call: () => void): void => {
    if (!before && waiting === 0) {
      runQuietly(call)
      return
    }
    waiting++
    queue = queue
      .then(() => inPeace(before))
      .then(() => inPeace(call))
      .finally(() => waiting--)
  }
  return Object.assign(tell, { done: () => queue })
}

/** What a listener or a projection throws never stops a run. */
export function runQuietly(call: () => void): void {
  try {
    call()
  } catch {}
}

/** As `Watched`, but in moments of the monotonic clock: a machine that slept, or whose clock was set, counts no work. */
export type WatchedState<Memo> = Omit<Watched<Memo>, 'now'>

/** What is known of a run that is watched, after one more event. */
export function afterEvent<Memo>(
  before: WatchedState<Memo> | undefined,
  event: LoopEvent,
  view: View<Memo>,
  now: number,
): WatchedState<Memo> {
  const fresh = event.type === 'attempt-started' || !before
  const { said, saidAt, usage } = fresh ? { saidAt: now } : before
  if (event.type !== 'call-ended') return { view, eventAt: now, said, saidAt, usage }
  return { view, eventAt: now, said: said?.phase === 'model' ? undefined : said, saidAt, usage: undefined }
}

export const afterProgress = <Memo>(
  before: WatchedState<Memo>,
  said: Progress,
  saidAt: number,
): WatchedState<Memo> => ({
  ...before,
  said,
  saidAt,
  usage: said.usage ?? before.usage,
})

/** The same in moments of the wall clock, counted back from `now`. */
export function watchedAt<Memo>(seen: WatchedState<Memo>, elapsed: number, now: number): Watched<Memo> {
  const ago = (at: number): number => now - (elapsed - at)
  return { ...seen, eventAt: ago(seen.eventAt), saidAt: ago(seen.saidAt), now }
}
