import { type FocusEvent, type RefObject, useRef } from 'react'
import { capitalize, startLarge } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { Age } from '../runs/needs-you.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { RunProvider } from '../shown/run-context.ts'
import { Spans } from '../shown/spans.tsx'
import { modeIcon } from '../standing.ts'
import { Gone } from './gone.tsx'
import type { InboxItem } from './inbox-items.ts'

type InboxProps = {
  readonly root: RefObject<HTMLDivElement | null>
  readonly shown: readonly InboxItem[]
  readonly selected: string | null
  /** A question has an address of its own: small screens show only that. */
  readonly isOpen: boolean
  /** Neither the pointer nor the focus is in the list any more. */
  readonly onLeave: () => void
}

export function Inbox({ root, shown, selected, isOpen, onLeave }: InboxProps) {
  const list = useRef<HTMLUListElement>(null)
  const move = (by: number): void => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('a') ?? [])]
    const focused = links.indexOf(document.activeElement as HTMLElement)
    const from = focused === -1 ? links.findIndex((link) => link.hasAttribute('aria-current')) : focused
    links[Math.max(0, Math.min(links.length - 1, from + by))]?.focus()
  }
  useKeys({ j: () => move(1), k: () => move(-1) })
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget) && !currentTarget.matches(':hover')) onLeave()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices that nobody is in the list any more
    <div ref={root} className={isOpen ? 'max-lg:hidden' : ''} onBlur={onBlur} onPointerLeave={onLeave}>
      <nav className="card overflow-hidden" aria-label="Questions">
        <ul ref={list} className="divide-y divide-line">
          {shown.map((one) => (
            <Entry key={one.item.row.id} inboxItem={one} isSelected={one.item.row.id === selected} />
          ))}
        </ul>
      </nav>
      <p className="text-xs text-ink-3 px-1 pt-3 leading-5 max-lg:hidden">
        <kbd className="kbd">j</kbd> <kbd className="kbd">k</kbd> move, <kbd className="kbd">↵</kbd> opens. Questions
        answered in a terminal leave by themselves.
      </p>
    </div>
  )
}

type EntryProps = { readonly inboxItem: InboxItem; readonly isSelected: boolean }

function Entry({ inboxItem, isSelected }: EntryProps) {
  const { item, gone } = inboxItem
  const { row, question, since } = item
  return (
    <RunProvider value={row}>
      <li>
        <Link
          href={paths.waiting(row.id)}
          className={`inbox-entry ${gone ? 'inbox-gone' : ''}`}
          {...(isSelected && { 'aria-current': true })}
        >
          <span className="flex items-center gap-2">
            <span className="font-medium truncate">{row.name}</span>
            <span className="ml-auto text-xs text-ink-3 whitespace-nowrap">{gone ? '' : <Age since={since} />}</span>
          </span>
          <span className="block text-sm text-ink-2 mt-0.5 wrap-anywhere line-clamp-2">
            {gone ? (
              <Gone inboxItem={inboxItem} />
            ) : question ? (
              <Spans line={startLarge(question.asks)} plain />
            ) : (
              capitalize(row.says)
            )}
          </span>
          <span className="flex items-center gap-1.5 text-xs text-ink-3 mt-1.5 min-w-0">
            <Icon name={modeIcon(row.mode)} size={12} />
            <span className="truncate">
              {capitalize(row.mode)} · {row.workspace}
            </span>
          </span>
        </Link>
      </li>
    </RunProvider>
  )
}
