import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { View } from '../../kernel/policy.ts'
import type { LoopState } from '../../kernel/state.ts'
import type { Watched } from '../../show/show.ts'
import { isPaused } from '../next-action.ts'

type Preparation = (() => void | Promise<void>) | false

/** Returns a function that makes calls in order, each after its preparation. Errors of a listener never stop a run. */
export function notifyInTurn(): ((before: Preparation, call: () => void) => void) & { done(): Promise<void> } {
  let waiting = 0
  let queue: Promise<void> = Promise.resolve()
  const ignoringErrors = async (call: Preparation): Promise<void> => {
    try {
      if (call) await call()
    } catch {}
  }
  const notify = (before: Preparation, call: () => void): void => {
    if (!before && waiting === 0) {
      runQuietly(call)
      return
    }
    waiting++
    queue = queue
      .then(() => ignoringErrors(before))
      .then(() => ignoringErrors(call))
      .finally(() => waiting--)
  }
  return Object.assign(notify, { done: () => queue })
}

/** Ignores errors of a listener or a projection: they never stop a run. */
export function runQuietly(call: () => void): void {
  try {
    call()
  } catch {}
}

/** Ends a pause that nobody ends within this time. Undefined: it stays. */
export function createPauseTimer(ms: number | undefined, end: () => Promise<unknown>) {
  let timer: NodeJS.Timeout | undefined
  const stop = (): void => {
    clearTimeout(timer)
    timer = undefined
  }
  const see = (state: LoopState): void => {
    if (!state.question || !isPaused(state)) stop()
    // A pause that cannot be ended now stays one: a person still can.
    else if (ms !== undefined) timer ??= setTimeout(() => void end().catch(() => {}), ms)
  }
  return { see, stop }
}

/** Like `Watched`, but in monotonic time: sleep and clock changes do not count as work. */
export type WatchedState<Memo> = Omit<Watched<Memo>, 'now'>

/** Returns the watched state after one more event. */
export function afterEvent<Memo>(
  before: WatchedState<Memo> | undefined,
  event: LoopEvent,
  view: View<Memo>,
  now: number,
): WatchedState<Memo> {
  const fresh = event.type === 'attempt-started' || !before
  const { said, saidAt, usage, denied } = fresh ? { saidAt: now } : before
  if (event.type !== 'call-ended') return { view, eventAt: now, said, saidAt, usage, denied }
  return { view, eventAt: now, said: said?.phase === 'model' ? undefined : said, saidAt, usage: undefined, denied }
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
  denied: said.problem === 'denied' ? { count: (before.denied?.count ?? 0) + 1, last: said.says } : before.denied,
})

/** Converts the watched state to wall-clock time, counted back from `now`. */
export function watchedAt<Memo>(seen: WatchedState<Memo>, elapsed: number, now: number): Watched<Memo> {
  const ago = (at: number): number => now - (elapsed - at)
  return { ...seen, eventAt: ago(seen.eventAt), saidAt: ago(seen.saidAt), now }
}

type Stops = { readonly soft: AbortSignal; readonly hard: AbortSignal; readonly now: AbortSignal }

/** A process that has lost its lease kills its work at once: another one may have begun the same. */
export function stopWhenLost(stop: Stops, lost: AbortSignal | undefined) {
  if (!lost) return { stop, close: () => {} }
  const [hard, now] = [new AbortController(), new AbortController()]
  const links = [
    [stop.hard, hard],
    [stop.now, now],
    [lost, hard],
    [lost, now],
  ] as const
  const undo = links.map(([from, to]) => {
    const abort = (): void => to.abort(from.reason)
    if (from.aborted) abort()
    from.addEventListener('abort', abort)
    return () => from.removeEventListener('abort', abort)
  })
  return { stop: { soft: stop.soft, hard: hard.signal, now: now.signal }, close: () => void undo.map((call) => call()) }
}
