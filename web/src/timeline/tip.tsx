import { formatDuration } from '../format.ts'
import { Chip } from '../parts/chip.tsx'
import { formatCost, isOpenAttempt, lookOfAttempt } from './look.ts'
import { type Hovered, TaskTitle } from './row.tsx'

const tipPx = 340
const gapPx = 8

type TipProps = Hovered & { readonly root: HTMLElement; readonly now: number }

/** The attempt under the pointer or with the focus. Screen readers have the same in the label of the link. */
export function AttemptTip({ task, attempt, element, root, now }: TipProps) {
  const look = lookOfAttempt(attempt, isOpenAttempt(task, attempt))
  const [box, bar] = [root.getBoundingClientRect(), element.getBoundingClientRect()]
  const left = Math.max(gapPx, Math.min(bar.left - box.left, box.width - tipPx - gapPx))
  const top = bar.bottom - box.top + root.scrollTop + gapPx
  const cost = formatCost(attempt)
  return (
    <div className="tl-tip" style={{ left, top }} aria-hidden="true">
      <p className="truncate">
        <TaskTitle {...task} />
      </p>
      <p className="flex flex-wrap items-center gap-x-2 text-ink-2">
        attempt {attempt.n}
        <Chip tone={look.tone} icon={look.glyph ?? 'run'} plain>
          {look.word}
        </Chip>
        {formatDuration((attempt.to ?? now) - attempt.from)}
        {cost && <span>{cost}</span>}
        {attempt.score !== null && <span>score {attempt.score}</span>}
      </p>
      {attempt.says && <p className="text-xs text-ink-2 mt-1 line-clamp-3 wrap-anywhere">{attempt.says}</p>}
      <p className="text-xs text-ink-3 mt-1">{attempt.via}</p>
    </div>
  )
}
