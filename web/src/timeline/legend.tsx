import type { Timeline } from '../../../src/contract/web.ts'
import { Icon } from '../parts/icon.tsx'
import { isOpenAttempt, listRows, lookOfAttempt } from './look.ts'

type LegendProps = {
  readonly timeline: Timeline
  readonly hasFolds: boolean
  /** Folds again what a person opened. */
  readonly onFold: (() => void) | null
}

/** The glyphs that occur in this timeline. */
export function TimelineLegend({ timeline, hasFolds, onFold }: LegendProps) {
  const looks = listRows(timeline).flatMap((task) =>
    task.attempts.map((attempt) => lookOfAttempt(attempt, isOpenAttempt(task, attempt))),
  )
  const shown = [...new Map(looks.map((one) => [one.word, one])).values()].filter(({ glyph }) => glyph !== null)
  const attempts = timeline.tasks.flatMap((task) => task.attempts)
  if (shown.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 px-4 py-2.5 border-t border-line text-xs text-ink-2">
      {shown.map(({ tone, glyph, word }) => (
        <li key={word} className="flex items-center gap-1.5">
          <span className={`st st-${tone} fg`}>{glyph && <Icon name={glyph} size={12} />}</span>
          {word}
        </li>
      ))}
      {attempts.some(({ stronger }) => stronger) && (
        <li className="flex items-center gap-1.5">
          <span className="inline-block w-4 h-[3px] bg-up" />
          by a stronger model
        </li>
      )}
      {hasFolds && (
        <li className="flex items-center gap-1.5">
          <span className="inline-block w-4 h-3 border-x border-dashed border-line-2 bg-sunk" />
          idle time, folded
        </li>
      )}
      {onFold && (
        <li className="ml-auto">
          <button type="button" className="link" onClick={onFold}>
            Fold idle time
          </button>
        </li>
      )}
    </ul>
  )
}
