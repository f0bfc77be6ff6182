import { type KeyboardEvent, useRef, useState } from 'react'
import type { ComparePayload, RunPayload } from '../../../src/contract/web.ts'
import { useNow } from '../clock.ts'
import { capitalize } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { moveBetweenBars } from '../timeline/move-focus.ts'
import type { Hovered } from '../timeline/row.tsx'
import { AttemptTip } from '../timeline/tip.tsx'
import { useSmallScreen } from '../use-media.ts'
import { useWidth } from '../use-width.ts'
import { createActiveScale, findBusy, sumMs } from './active-scale.ts'
import { PairList } from './pair-list.tsx'
import { PairRow, type SideOfRow } from './pair-row.tsx'
import { pairTasks } from './pairs.ts'

const isLive = ({ row: { standing } }: RunPayload): boolean => standing === 'running' || standing === 'waiting'

/** Task by task: the attempts of both runs on one axis of active time. */
export function Timelines({ sides }: Pick<ComparePayload, 'sides'>) {
  const [a, b] = sides
  const now = useNow(1, isLive(a) || isLive(b))
  const isSmall = useSmallScreen()
  const root = useRef<HTMLDivElement>(null)
  const ruler = useRef<HTMLDivElement>(null)
  const width = useWidth(ruler)
  const [hovered, setHovered] = useState<(Hovered & { readonly until: number }) | null>(null)
  const [active, setActive] = useState<string | null>(null)
  const pairs = pairTasks(a.timeline, b.timeline)
  if (pairs.length === 0) return null

  const parts = sides.map((side) => {
    const until = isLive(side) ? Math.max(now, side.timeline.to) : side.timeline.to
    return { run: side.row.id, until, busy: findBusy(side.timeline, until) }
  })
  const length = Math.max(1, ...parts.map(({ busy }) => sumMs(busy))) * 1.02
  const first = pairs.flatMap((pair) => findStops(pair.id, pair.a?.attempts[0]?.n, pair.b?.attempts[0]?.n))[0]
  const rows = parts.map(
    ({ run, until, busy }, index): SideOfRow => ({
      letter: index === 0 ? 'A' : 'B',
      run,
      until,
      scale: createActiveScale(busy, length),
      width,
      tabStop: active ?? first ?? null,
      onHover: (one) => setHovered(one && { ...one, until }),
      onFocus: setActive,
    }),
  )
  const [left, right] = rows
  if (!left || !right) return null
  const unit = a.timeline.unit.one === b.timeline.unit.one ? a.timeline.unit.one : 'task'
  const onKeyDown = (event: KeyboardEvent): void => {
    if (root.current && moveBetweenBars(root.current, event.key)) event.preventDefault()
  }
  return (
    <Card
      title={`${capitalize(unit)} by ${unit}`}
      note={<span className="max-md:hidden">active time from the start, waits left out</span>}
      className="!overflow-visible"
    >
      {isSmall ? (
        <PairList pairs={pairs} a={left} b={right} />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside
        <div ref={root} className="cmp-rows relative" onKeyDown={onKeyDown}>
          <div className="cmp-row" aria-hidden="true">
            <span />
            <div ref={ruler} className="cmp-ruler" />
          </div>
          <ul aria-label="Attempts of both runs over active time">
            {pairs.map((pair) => (
              <PairRow key={pair.id} pair={pair} a={left} b={right} />
            ))}
          </ul>
          {hovered && root.current && <AttemptTip {...hovered} root={root.current} now={hovered.until} />}
        </div>
      )}
    </Card>
  )
}

const findStops = (id: string, a: number | undefined, b: number | undefined): readonly string[] => [
  ...(a === undefined ? [] : [`A ${id}/${a}`]),
  ...(b === undefined ? [] : [`B ${id}/${b}`]),
]
