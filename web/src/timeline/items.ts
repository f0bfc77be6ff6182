import type { TimelineAttempt, TimelineTask } from '../../../src/contract/web.ts'
import type { Tone } from '../standing.ts'
import { type AttemptLook, isOpenAttempt, lookOfAttempt } from './look.ts'
import type { Scale } from './scale.ts'

export type Bar = {
  readonly kind: 'bar'
  readonly attempt: TimelineAttempt
  readonly look: AttemptLook
  /** Places from 0 to 1. */
  readonly left: number
  readonly width: number
  /** The part of the bar that verification took. */
  readonly verified: number
  /** Too little room for a cap. */
  readonly isNarrow: boolean
  /** Room for the number of the attempt. */
  readonly hasNumber: boolean
}
/** Bars too narrow to draw, in the colour of the worst of them. */
export type Strip = {
  readonly kind: 'strip'
  readonly attempts: readonly TimelineAttempt[]
  readonly tone: Tone
  readonly left: number
  readonly width: number
}
export type Item = Bar | Strip

const mergePx = 3
const capPx = 18
const numberPx = 36
const worst: readonly Tone[] = ['bad', 'you', 'off', 'run', 'ok']

/** The bars of a row. `width` is the width of the track in pixels. */
export function layoutRow(task: TimelineTask, scale: Scale, until: number, width: number): Item[] {
  const bars = task.attempts.map((attempt, index) => layoutBar(task, attempt, task.attempts[index + 1]))
  return mergeNarrow(bars, width)

  function layoutBar(owner: TimelineTask, attempt: TimelineAttempt, next: TimelineAttempt | undefined): Bar {
    const look = lookOfAttempt(attempt, isOpenAttempt(owner, attempt))
    const end = look.isOpen ? until : (attempt.to ?? until)
    const left = scale.place(attempt.from)
    const barWidth = Math.max(0, scale.place(end) - left)
    const ms = end - attempt.from
    const verified = look.isOpen || attempt.workedTo === null || ms <= 0 ? 0 : (end - attempt.workedTo) / ms
    const room = next ? (scale.place(next.from) - left) * width : capPx
    const px = barWidth * width
    const isNarrow = Math.max(room, px) < capPx
    const hasNumber = px >= (look.isOpen ? capPx : numberPx)
    return { kind: 'bar', attempt, look, left, width: barWidth, verified, isNarrow, hasNumber }
  }
}

function mergeNarrow(bars: readonly Bar[], width: number): Item[] {
  const items: Item[] = []
  for (const bar of bars) {
    const last = items.at(-1)
    const isThin = bar.width * width < mergePx && !bar.look.isOpen
    const isNear = last !== undefined && (bar.left - last.left - last.width) * width < mergePx
    if (isThin && isNear && (last.kind === 'strip' || last.width * width < mergePx))
      items[items.length - 1] = join(last, bar)
    else items.push(bar)
  }
  return items
}

const join = (item: Item, bar: Bar): Strip => ({
  kind: 'strip',
  attempts: [...(item.kind === 'strip' ? item.attempts : [item.attempt]), bar.attempt],
  tone:
    worst.find((tone) => tone === (item.kind === 'strip' ? item.tone : item.look.tone) || tone === bar.look.tone) ??
    'off',
  left: item.left,
  width: bar.left + bar.width - item.left,
})
