import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { formatClock, formatUtc } from '../format.ts'
import { Spans } from '../shown/spans.tsx'
import { type LogStore, useLogState } from './log-store.ts'

export const rowPx = 20
const padPx = 8
const extraRows = 12
const gutterPx = 180

type LogViewProps = {
  readonly store: LogStore
  readonly root: RefObject<HTMLDivElement | null>
  readonly search: string
  /** The number of the line that the search stands on. */
  readonly current: number | null
  readonly isFollowing: boolean
  /** A log that grows keeps its height, so that nothing below it moves. */
  readonly isLive: boolean
  readonly onEnd: (isInView: boolean) => void
}

/** A list of rows of equal height, of which only those in view exist. */
export function LogView({ store, root, search, current, isFollowing, isLive, onEnd }: LogViewProps) {
  const { total, longest, isLoaded } = useLogState(store)
  const [view, setView] = useState({ top: 0, height: 408 })
  const from = Math.max(0, Math.floor((view.top - padPx) / rowPx) - extraRows)
  const to = Math.min(total, Math.ceil((view.top + view.height) / rowPx) + extraRows)
  useEffect(() => store.need(from, to), [store, from, to])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new lines move the end
  useLayoutEffect(() => {
    if (isFollowing && root.current) root.current.scrollTop = root.current.scrollHeight
  }, [isFollowing, total, isLoaded, root])
  const onScroll = (): void => {
    const element = root.current
    if (!element) return
    setView({ top: element.scrollTop, height: element.clientHeight })
    onEnd(element.scrollTop + element.clientHeight >= element.scrollHeight - rowPx)
  }
  return (
    <div
      ref={root}
      className="log"
      role="log"
      aria-live="off"
      aria-label="Log"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
      style={isLive || !isLoaded ? undefined : { height: total * rowPx + 2 * padPx }}
      onScroll={onScroll}
    >
      {isLoaded && total === 0 && <p className="px-4 py-3 text-ink-2 font-sans">Nothing is logged yet.</p>}
      <div
        className="log-rows"
        style={{ height: total * rowPx + 2 * padPx, width: `calc(${longest}ch + ${gutterPx}px)` }}
      >
        {Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index).map((place) => (
          <Row key={place} store={store} place={place} search={search} current={current} />
        ))}
      </div>
    </div>
  )
}

type RowProps = Pick<LogViewProps, 'store' | 'search' | 'current'> & { readonly place: number }

function Row({ store, place, search, current }: RowProps) {
  const line = store.lineAt(place)
  const top = padPx + place * rowPx
  if (!line) return <div className="log-row" style={{ top }} aria-busy="true" />
  const classes = `log-row${line.isError ? ' log-error' : ''}${line.n === current ? ' log-current' : ''}`
  return (
    <div className={classes} style={{ top }}>
      <span className="log-gutter">
        <span>{line.n}</span>
        <time dateTime={new Date(line.at).toISOString()} title={formatUtc(line.at)}>
          {formatClock(line.at, true)}
        </time>
      </span>
      <span className="pr-4">
        {line.isError && <span className="sr-only">Error: </span>}
        <Spans line={line.line} at={line.at} plain search={search} />
      </span>
    </div>
  )
}
