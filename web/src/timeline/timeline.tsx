import { type KeyboardEvent, useRef, useState } from 'react'
import type { Timeline, TimelineTask } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import { useWidth } from '../use-width.ts'
import { TimelineAxis } from './axis.tsx'
import { groupPauses, listRows } from './look.ts'
import { moveBetweenBars } from './move-focus.ts'
import { type Hovered, TimelineRow } from './row.tsx'
import type { Scale } from './scale.ts'
import { AttemptTip } from './tip.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'

const rowPx = 48
const virtualFrom = 60

export type TimelineViewProps = {
  readonly run: string
  readonly timeline: Timeline
  readonly scale: Scale
  readonly until: number
  readonly isLive: boolean
  readonly onUnfold: (from: number) => void
  /** A replay: what comes after this moment is faint. `states` are those of the moment. */
  readonly replay?: { readonly at: number; readonly label: string; readonly states: ReadonlyMap<string, TimelineTask> }
}

/** Rows are tasks, time runs to the right, a bar is an attempt. */
export function TimelineView({ run, timeline, scale, until, isLive, onUnfold, replay }: TimelineViewProps) {
  const root = useRef<HTMLDivElement>(null)
  const under = useRef<HTMLDivElement>(null)
  const width = useWidth(under)
  const [hovered, setHovered] = useState<Hovered | null>(null)
  const [active, setActive] = useState<string | null>(null)
  const rows = listRows(timeline)
  const pauses = groupPauses(timeline, rows)
  const visible = useVirtualRows(root, rows.length, rowPx, virtualFrom)
  const first = rows.find(({ attempts }) => attempts.length > 0)
  const tabStop = active ?? (first ? `${first.id}/${first.attempts[0]?.n}` : null)
  const now = replay?.at ?? (isLive ? until : null)
  const onKeyDown = (event: KeyboardEvent): void => {
    if (root.current && moveBetweenBars(root.current, event.key)) event.preventDefault()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside
    <div ref={root} className={`tl ${rows.length > virtualFrom ? 'tl-tall' : ''}`} onKeyDown={onKeyDown}>
      <TimelineAxis
        scale={scale}
        width={width}
        from={timeline.from}
        height={rows.length * rowPx}
        now={now}
        nowLabel={replay?.label ?? 'now'}
        onUnfold={onUnfold}
        underRef={under}
      />
      <ul aria-label={`Attempts by ${timeline.unit.one} over time`} style={visible.padding}>
        {rows.slice(visible.from, visible.to).map((task) => (
          <TimelineRow
            key={task.id}
            run={run}
            task={task}
            moment={replay ? (replay.states.get(task.id) ?? 'later') : task}
            pauses={pauses.get(task.id) ?? []}
            scale={scale}
            width={width}
            until={until}
            playhead={replay?.at ?? null}
            tabStop={tabStop}
            onHover={setHovered}
            onFocus={setActive}
          />
        ))}
      </ul>
      {hovered && root.current && <AttemptTip {...hovered} root={root.current} now={until} />}
    </div>
  )
}

export const timelineTitle = ({ unit }: Timeline): string =>
  unit.many === 'attempts' ? 'Attempts' : `${capitalize(unit.many)} and attempts`
