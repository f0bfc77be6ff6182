import type { KeyboardEvent, RefObject } from 'react'
import { formatCount } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import type { Matches } from './use-log-search.ts'

type ToolbarProps = {
  readonly field: RefObject<HTMLInputElement | null>
  readonly text: string
  readonly onText: (text: string) => void
  readonly matches: Matches
  readonly current: number | null
  readonly onStep: (by: number) => void
  readonly onFirstError: (() => void) | null
  readonly isFollowing: boolean
  readonly isLive: boolean
  readonly onFollow: (on: boolean) => void
  readonly total: number
  readonly onDownload: () => void
}

export function LogToolbar(props: ToolbarProps) {
  const {
    field,
    text,
    onText,
    matches,
    current,
    onStep,
    onFirstError,
    isFollowing,
    isLive,
    onFollow,
    total,
    onDownload,
  } = props
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>): void => {
    if (event.key === 'Enter') onStep(event.shiftKey ? -1 : 1)
    else if (event.key === 'Escape') {
      onText('')
      event.currentTarget.blur()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div className="flex flex-wrap items-center gap-2 px-3 py-2 border-b border-line">
      <label className="input w-64 max-md:w-full gap-2 text-sm">
        <span className="sr-only">Search the log</span>
        <Icon name="search" className="text-ink-3" />
        <input
          ref={field}
          type="search"
          placeholder="Search the log"
          value={text}
          onChange={({ target }) => onText(target.value)}
          onKeyDown={onKeyDown}
        />
        <span className="text-xs text-ink-2 whitespace-nowrap" role="status">
          {describeMatches(matches, current)}
        </span>
      </label>
      <span className="flex">
        <button
          type="button"
          className="icon-btn"
          aria-label="Previous match"
          disabled={matches.count === 0}
          onClick={() => onStep(-1)}
        >
          <Icon name="down" className="rotate-180" />
        </button>
        <button
          type="button"
          className="icon-btn"
          aria-label="Next match"
          disabled={matches.count === 0}
          onClick={() => onStep(1)}
        >
          <Icon name="down" />
        </button>
      </span>
      {onFirstError && (
        <button type="button" className="btn btn-sm btn-quiet" onClick={onFirstError}>
          <span className="st st-bad fg">
            <Icon name="bad" />
          </span>
          First error <kbd className="kbd">e</kbd>
        </button>
      )}
      {isLive && (
        <label className="ml-auto flex items-center gap-2 text-sm text-ink-2 min-h-6 cursor-pointer">
          <input
            type="checkbox"
            className="toggle"
            checked={isFollowing}
            onChange={({ target }) => onFollow(target.checked)}
          />
          Follow
        </label>
      )}
      <button
        type="button"
        className={`icon-btn ${isLive ? '' : 'ml-auto'}`}
        aria-label={`Download the log, ${formatCount(total)} lines`}
        onClick={onDownload}
      >
        <Icon name="dl" />
      </button>
    </div>
  )
}

/** "3 of 41" */
function describeMatches({ text, lines, count }: Matches, current: number | null): string {
  if (text === '') return ''
  const at = current === null ? -1 : lines.indexOf(current)
  if (count === 0) return 'no match'
  return at === -1 ? formatCount(count) : `${formatCount(at + 1)} of ${formatCount(count)}`
}
