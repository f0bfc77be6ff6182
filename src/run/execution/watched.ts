import type { LoopEvent } from '../../contract/event.ts'
import type { Progress } from '../../contract/progress.ts'
import type { View } from '../../kernel/policy.ts'
import type { Watched } from '../../show/show.ts'

/** As `Watched`, but in moments of the monotonic clock: a machine that slept, or whose clock was set, counts no work. */
export type Seen<Memo> = Omit<Watched<Memo>, 'now'>

/** What is known of a run that is watched, after one more event. */
export function afterEvent<Memo>(
  before: Seen<Memo> | undefined,
  event: LoopEvent,
  view: View<Memo>,
  now: number,
): Seen<Memo> {
  const fresh = event.type === 'attempt-started' || !before
  const { said, saidAt, usage } = fresh ? { saidAt: now } : before
  if (event.type !== 'call-ended') return { view, eventAt: now, said, saidAt, usage }
  return { view, eventAt: now, said: said?.phase === 'model' ? undefined : said, saidAt, usage: undefined }
}

export const afterProgress = <Memo>(before: Seen<Memo>, said: Progress, saidAt: number): Seen<Memo> => ({
  ...before,
  said,
  saidAt,
  usage: said.usage ?? before.usage,
})

/** The same in moments of the wall clock, counted back from `now`. */
export function watchedAt<Memo>(seen: Seen<Memo>, elapsed: number, now: number): Watched<Memo> {
  const ago = (at: number): number => now - (elapsed - at)
  return { ...seen, eventAt: ago(seen.eventAt), saidAt: ago(seen.saidAt), now }
}
