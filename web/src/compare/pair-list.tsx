import type { TimelineTask } from '../../../src/contract/web.ts'
import { formatDuration } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { describeAttempt, isOpenAttempt, lookOfAttempt } from '../timeline/look.ts'
import { PairTitle, type SideOfRow, sumAttempts } from './pair-row.tsx'
import type { Pair } from './pairs.ts'

type ListProps = { readonly pairs: readonly Pair[]; readonly a: SideOfRow; readonly b: SideOfRow }

/** The comparison of small screens: a glyph for each attempt. */
export const PairList = ({ pairs, a, b }: ListProps) => (
  <ol className="divide-y divide-line">
    {pairs.map((pair) => (
      <li key={pair.id} className="px-4 py-3">
        <PairTitle pair={pair} />
        <Glyphs task={pair.a} side={a} />
        <Glyphs task={pair.b} side={b} />
      </li>
    ))}
  </ol>
)

function Glyphs({ task, side }: { readonly task: TimelineTask | null; readonly side: SideOfRow }) {
  return (
    <div className="flex items-center gap-2 min-h-8">
      <span className="w-4 text-xs text-ink-3">{side.letter}</span>
      <span className="flex flex-wrap">
        {task?.attempts.map((attempt) => {
          const { tone, glyph } = lookOfAttempt(attempt, isOpenAttempt(task, attempt))
          return (
            <Link
              key={attempt.seq}
              className={`cmp-glyph st st-${tone}`}
              href={paths.attempt(side.run, task.id, attempt.n)}
              aria-label={`${side.letter}, ${describeAttempt(task, attempt, side.until)}`}
            >
              <span>
                <Icon name={glyph ?? 'run'} size={12} />
              </span>
            </Link>
          )
        })}
      </span>
      <span className="ml-auto text-sm text-ink-2">
        {task && task.attempts.length > 0 ? formatDuration(sumAttempts(task, side.until)) : '–'}
      </span>
    </div>
  )
}
