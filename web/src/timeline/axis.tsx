import type { Ref } from 'react'
import { formatTicking } from '../format.ts'
import { percent, span } from './places.ts'
import { type Fold, listTicks, type Scale } from './scale.ts'

type AxisProps = {
  readonly scale: Scale
  readonly from: number
  readonly width: number
  readonly height: number
  readonly now: number | null
  readonly nowLabel: string
  readonly onUnfold: (from: number) => void
  readonly underRef: Ref<HTMLDivElement>
}

/** The times above the rows, and the lines that run through all of them. */
export function TimelineAxis({ scale, from, width, height, now, nowLabel, onUnfold, underRef }: AxisProps) {
  const nowPlace = now === null ? null : scale.place(now)
  const labels = [...scale.folds.map((fold) => fold.left + fold.width / 2), ...(nowPlace === null ? [] : [nowPlace])]
  const ticks = listTicks(scale, from, width, labels)
  return (
    <>
      <div className="tl-axis">
        <div />
        <div className="tl-ticks">
          {ticks.map(({ at, place, label }) => (
            <span
              key={at}
              className={place === 0 ? 'tl-first' : ''}
              style={{ left: percent(place) }}
              aria-hidden="true"
            >
              {label}
            </span>
          ))}
          {scale.folds.map((fold) => {
            const length = formatTicking(fold.to - fold.from)
            return (
              <button
                key={fold.from}
                type="button"
                {...placeFoldLabel(fold, nowPlace, width)}
                title="Unfold"
                onClick={() => onUnfold(fold.from)}
              >
                <span>
                  {shorten(length)} folded<span className="sr-only">, idle time: unfold it</span>
                </span>
              </button>
            )
          })}
          {nowPlace !== null && (
            <span
              className={`tl-now ${chooseSide(nowPlace, scale, width)}`}
              style={{ left: percent(nowPlace) }}
              aria-hidden="true"
            >
              {nowLabel}
            </span>
          )}
        </div>
        <div />
      </div>
      <div ref={underRef} className="tl-under" style={{ height }} aria-hidden="true">
        {ticks.map(({ at, place }) => (
          <i key={at} style={{ left: percent(place) }} />
        ))}
        {scale.folds.map((fold) => (
          <span key={fold.from} className="tl-fold" style={span(fold.left, fold.width)} />
        ))}
        {nowPlace !== null && <em style={{ left: percent(nowPlace) }} />}
      </div>
    </>
  )
}

const labelPx = 80

/** In the middle of the fold, or beside the line of now if that is near. */
function placeFoldLabel(fold: Fold, now: number | null, width: number) {
  const middle = fold.left + fold.width / 2
  if (now === null || Math.abs(middle - now) * width >= labelPx) {
    return { className: 'tl-unfold', style: { left: percent(middle) } }
  }
  const side = middle < now ? 'tl-unfold-before' : 'tl-unfold-after'
  return { className: `tl-unfold ${side}`, style: { left: percent(now) } }
}

/** The side of the line where its label does not cover that of a fold. */
function chooseSide(now: number, { folds }: Scale, width: number): string {
  const near = folds.map((fold) => (fold.left + fold.width / 2 - now) * width).find((px) => Math.abs(px) < labelPx)
  if (near === undefined) return ''
  return near < 0 ? 'tl-now-after' : 'tl-now-before'
}

/** "38m" instead of "38m12s": the axis has little room. */
const shorten = (length: string): string => length.replace(/(\d+m)\d+s$/, '$1')
