import type { Timeline } from '../../../src/contract/web.ts'
import type { Scale } from '../timeline/scale.ts'

type Interval = { readonly from: number; readonly to: number }

/** The times in which something was at work. Overlapping ones are joined. */
export function findBusy({ tasks }: Timeline, until: number): readonly Interval[] {
  const all = tasks
    .flatMap(({ attempts }) => attempts.map(({ from, to }) => ({ from, to: to ?? until })))
    .toSorted((a, b) => a.from - b.from)
  const joined: Interval[] = []
  for (const one of all) {
    const last = joined.at(-1)
    if (last && one.from <= last.to) joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, one.to) }
    else joined.push(one)
  }
  return joined
}

export const sumMs = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, { from, to }) => sum + to - from, 0)

/** An axis of active time from the start. Both runs use the same `length`, so that their bars can be compared. */
export function createActiveScale(busy: readonly Interval[], length: number): Scale {
  const place = (at: number): number =>
    sumMs(busy.filter(({ from }) => from < at).map(({ from, to }) => ({ from, to: Math.min(to, at) }))) / length
  const timeAt = (wanted: number): number => {
    let left = wanted * length
    for (const { from, to } of busy) {
      if (left <= to - from) return from + left
      left -= to - from
    }
    return busy.at(-1)?.to ?? 0
  }
  return { axis: { length, foldMs: 0 }, folds: [], place, timeAt }
}
