import { useEffect, useRef, useState } from 'react'
import { formatClock, formatCount } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { ErrorCard } from '../parts/states.tsx'
import { showError } from '../parts/toasts.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { downloadLog } from './download.ts'
import { type LogStore, useLogState } from './log-store.ts'
import { LogToolbar } from './log-toolbar.tsx'
import { LogView, rowPx } from './log-view.tsx'
import { useLogSearch } from './use-log-search.ts'

type LogPanelProps = {
  readonly run: { readonly id: string; readonly name: string }
  readonly store: LogStore
  readonly isLive: boolean
  readonly from: number
  readonly to: number
}

/** The log with search over all of it, the first error, following and download. */
export function LogPanel({ run, store, isLive, from, to }: LogPanelProps) {
  const { total, first, firstError, error } = useLogState(store)
  const root = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const [isFollowing, setFollowing] = useState(true)
  const [leftAt, setLeftAt] = useState(0)
  const [current, setCurrent] = useState<number | null>(null)
  const matches = useLogSearch(run.id, text.trim(), total)
  const newLines = isFollowing || leftAt === 0 ? 0 : Math.max(0, total - leftAt)

  const goTo = (line: number): void => {
    const element = root.current
    if (!element) return
    setFollowing(false)
    setLeftAt(total)
    setCurrent(line)
    element.scrollTop = (line - first) * rowPx - element.clientHeight / 2
  }
  const step = (by: number): void => {
    const at = current === null ? -1 : matches.lines.indexOf(current)
    const { length } = matches.lines
    const next = at === -1 ? (by > 0 ? 0 : length - 1) : (at + by + length) % length
    const line = matches.lines[next]
    if (line !== undefined) goTo(line)
  }
  const goToError = (): void => {
    if (firstError !== null) goTo(firstError)
  }
  const follow = (on: boolean): void => {
    setFollowing(on)
    setLeftAt(total)
  }
  // A new search begins at its last match: the newest lines matter most.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another text moves the view
  useEffect(() => {
    const last = matches.lines.at(-1)
    if (matches.text !== '' && last !== undefined) goTo(last)
  }, [matches.text])
  useKeys({ e: goToError, f: () => follow(!isFollowing), '/': () => field.current?.focus() })
  const onEnd = (isInView: boolean): void => {
    if (isInView === isFollowing) return
    setFollowing(isInView && isLive)
    if (!isInView) setLeftAt(total)
  }
  if (error) return <ErrorCard error={error} onRetry={store.reset} />
  return (
    <>
      <LogToolbar
        field={field}
        text={text}
        onText={setText}
        matches={matches}
        current={current}
        onStep={step}
        onFirstError={firstError === null ? null : goToError}
        isFollowing={isFollowing}
        isLive={isLive}
        onFollow={follow}
        total={total}
        onDownload={() => void downloadLog(run, first, total).catch(showError)}
      />
      <div className="relative">
        <LogView
          store={store}
          root={root}
          search={matches.text}
          current={current}
          isFollowing={isFollowing}
          isLive={isLive}
          onEnd={onEnd}
        />
        {newLines > 0 && (
          <button
            type="button"
            className="btn btn-sm btn-primary rounded-full absolute bottom-3 left-1/2 -translate-x-1/2"
            onClick={() => follow(true)}
          >
            <Icon name="down" />
            {formatCount(newLines)} new {newLines === 1 ? 'line' : 'lines'}
          </button>
        )}
      </div>
      <p className="flex items-center gap-2 px-4 min-h-9 py-2 border-t border-line text-xs text-ink-2">
        {isFollowing && isLive && <span className="st st-run dot beat" />}
        <span>
          {isLive ? (isFollowing ? 'Following. ' : '') : `Ended ${formatClock(to)}. `}
          {formatCount(total)} lines since {formatClock(from)}, newest at the bottom.
        </span>
      </p>
    </>
  )
}
