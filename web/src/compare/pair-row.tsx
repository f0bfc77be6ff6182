import type { TimelineTask } from '../../../src/contract/web.ts'
import { formatDuration } from '../format.ts'
import { AttemptBar, StripBar } from '../timeline/bar.tsx'
import { layoutRow } from '../timeline/items.ts'
import { type RowProps, TaskTitle } from '../timeline/row.tsx'
import type { Pair } from './pairs.ts'

/** What all rows of one run share. */
export type SideOfRow = Pick<RowProps, 'run' | 'until' | 'scale' | 'width' | 'tabStop' | 'onHover' | 'onFocus'> & {
  readonly letter: 'A' | 'B'
}

type PairRowProps = { readonly pair: Pair; readonly a: SideOfRow; readonly b: SideOfRow }

export function PairRow({ pair, a, b }: PairRowProps) {
  return (
    <li className="cmp-row">
      <PairTitle pair={pair} />
      <div className="cmp-tracks">
        <Track task={pair.a} side={a} />
        <Track task={pair.b} side={b} />
      </div>
      <div className="cmp-sum">
        <Sum task={pair.a} side={a} />
        <Sum task={pair.b} side={b} />
      </div>
    </li>
  )
}

/** Both titles if the runs call the task differently. */
export function PairTitle({ pair: { a, b } }: Pick<PairRowProps, 'pair'>) {
  const first = a ?? b
  if (!first) return null
  return (
    <div className="cmp-name">
      <span className="block truncate" title={first.title}>
        <TaskTitle {...first} />
      </span>
      {a && b && a.title !== b.title && (
        <span className="block text-xs text-ink-3 truncate" title={b.title}>
          in B: {b.title}
        </span>
      )}
    </div>
  )
}

type TrackProps = { readonly task: TimelineTask | null; readonly side: SideOfRow }

function Track({ task, side }: TrackProps) {
  const { letter, tabStop, onFocus, scale, until, width } = side
  if (!task) return <div className="tl-track cmp-track" data-side={letter} />
  const prefix = `${letter} `
  const row: RowProps = {
    ...side,
    task,
    moment: task,
    pauses: [],
    playhead: null,
    tabStop: tabStop?.startsWith(prefix) ? tabStop.slice(prefix.length) : null,
    onFocus: (key) => onFocus(prefix + key),
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset groups fields, and these are links
    <div
      className="tl-track cmp-track"
      role="group"
      data-side={letter}
      data-row={`${letter}-${task.id}`}
      aria-label={`${letter}, ${task.title || task.id}`}
    >
      {layoutRow(task, scale, until, width).map((item) =>
        item.kind === 'strip' ? (
          <StripBar key={item.attempts[0]?.seq} strip={item} {...row} />
        ) : (
          <AttemptBar key={item.attempt.seq} bar={item} {...row} />
        ),
      )}
    </div>
  )
}

function Sum({ task, side }: TrackProps) {
  if (!task || task.attempts.length === 0) return <span className="text-ink-3">–</span>
  return <span>{formatDuration(sumAttempts(task, side.until))}</span>
}

export const sumAttempts = ({ attempts }: TimelineTask, until: number): number =>
  attempts.reduce((sum, { from, to }) => sum + (to ?? until) - from, 0)
