import type { Timeline } from '../../../src/contract/web.ts'
import { formatClock, formatShortDay } from '../format.ts'

/** Longer times without work are folded. */
const idleMs = 5 * 60_000
const foldShare = 0.08
const maxFolded = 0.4
const tailShare = 0.08
const endShare = 0.02
const growth = 1.25
const minLength = 1000
const maxMarginMs = 90_000

type Interval = { readonly from: number; readonly to: number }
export type Fold = Interval & { readonly left: number; readonly width: number }
/** The length of the axis and of a fold on it. Kept while a run goes on, so that no bar moves. */
export type Axis = { readonly length: number; readonly foldMs: number }
export type Scale = {
  readonly axis: Axis
  readonly folds: readonly Fold[]
  /** Where a moment lies, from 0 to 1. */
  place(at: number): number
  /** The moment at a place. */
  timeAt(place: number): number
}

type ScaleInput = {
  readonly timeline: Timeline
  /** The end of the time shown: now, or the last event. */
  readonly until: number
  readonly isLive: boolean
  /** Starts of folds that a person opened. */
  readonly unfolded: ReadonlySet<number>
  readonly previous: Axis | null
}

/** Lays time out on an axis from which long idle times are folded away. */
export function createScale({ timeline, until, isLive, unfolded, previous }: ScaleInput): Scale {
  const { from } = timeline
  const gaps = findGaps(timeline, until).filter((gap) => gap.to - gap.from > idleMs && !unfolded.has(gap.from))
  const idle = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0)
  const margin = Math.min(maxMarginMs, Math.max(0, until - from - idle) * 0.02)
  const folded = gaps.map((gap) => ({ key: gap.from, from: gap.from + margin, to: gap.to - margin }))
  const shownMs = until - from - folded.reduce((sum, fold) => sum + fold.to - fold.from, 0)
  const axis = chooseAxis(previous, { shownMs, folds: folded.length, isLive })

  function place(at: number): number {
    let length = at - from
    for (const fold of folded) {
      if (at <= fold.from) break
      const part = Math.min(1, (at - fold.from) / (fold.to - fold.from))
      length += part * axis.foldMs - Math.min(at - fold.from, fold.to - fold.from)
    }
    return Math.min(1, Math.max(0, length / axis.length))
  }

  function timeAt(wanted: number): number {
    let [low, high] = [from, until]
    for (let step = 0; step < 50; step += 1) {
      const middle = (low + high) / 2
      if (place(middle) < wanted) low = middle
      else high = middle
    }
    return high
  }

  const folds = folded.map(({ key, from: start, to }) => ({
    from: key,
    to,
    left: place(start),
    width: place(to) - place(start),
  }))
  return { axis, folds, place, timeAt }
}

/** The axis ends 8 % behind now. When now reaches its end, it grows by a quarter at once. */
function chooseAxis(
  previous: Axis | null,
  { shownMs, folds, isLive }: { shownMs: number; folds: number; isLive: boolean },
): Axis {
  const share = folds === 0 ? foldShare : Math.min(foldShare, maxFolded / folds)
  const fresh = Math.max(minLength, shownMs / (1 - folds * share - (isLive ? tailShare : endShare)))
  if (!previous || !isLive) return { length: fresh, foldMs: share * fresh }
  if (shownMs + folds * previous.foldMs <= previous.length) return previous
  const length = Math.max(fresh, previous.length * growth)
  return { length, foldMs: share * length }
}

/** Times in which no attempt was at work. */
function findGaps({ from, tasks }: Timeline, until: number): Interval[] {
  const busy = tasks
    .flatMap(({ attempts }) => attempts.map((attempt) => ({ from: attempt.from, to: attempt.to ?? until })))
    .toSorted((a, b) => a.from - b.from)
  const gaps: Interval[] = []
  let end = from
  for (const one of busy) {
    if (one.from > end) gaps.push({ from: end, to: one.from })
    end = Math.max(end, one.to)
  }
  if (until > end) gaps.push({ from: end, to: until })
  return gaps
}

export type Tick = { readonly at: number; readonly place: number; readonly label: string }

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [1, 5, 10, 15, 30]
  .map((n) => n * second)
  .concat(
    [1, 2, 5, 10, 15, 30].map((n) => n * minute),
    [1, 2, 3, 6, 12].map((n) => n * hour),
    [1, 2, 7].map((n) => n * day),
  )
const tickPx = 64

/** Round times along the axis, as many as fit. `avoid`: places that have a label of their own. */
export function listTicks(scale: Scale, from: number, width: number, avoid: readonly number[]): Tick[] {
  const apart = tickPx / Math.max(200, width)
  const wanted = scale.axis.length * apart
  const step = steps.find((one) => one >= wanted) ?? Math.ceil(wanted / day) * day
  const offset = new Date(from).getTimezoneOffset() * minute
  const isFree = (place: number, others: readonly number[]): boolean =>
    others.every((other) => Math.abs(other - place) >= apart * 0.8)
  const ticks: Tick[] = isFree(0, avoid)
    ? [{ at: from, place: 0, label: formatTick(from, Math.min(step, minute)) }]
    : []
  const first = Math.ceil((from - offset) / step) * step + offset
  const last = scale.timeAt(1) + scale.axis.length
  for (let at = first, count = 0; at <= last && count < 2000; at += step, count += 1) {
    const place = scale.place(at)
    if (place >= 0.985) break
    const fold = scale.folds.find(
      ({ left, width: foldWidth }) => place > left - 0.01 && place < left + foldWidth + 0.01,
    )
    if (fold) {
      at += Math.max(0, Math.floor((fold.to - at) / step)) * step
      continue
    }
    if (isFree(place, [...avoid, ticks.at(-1)?.place ?? -1])) ticks.push({ at, place, label: formatTick(at, step) })
  }
  return ticks
}

function formatTick(at: number, step: number): string {
  if (step >= day) return formatShortDay(at)
  const clock = formatClock(at, step < minute)
  return clock === '00:00' ? formatShortDay(at) : clock
}
