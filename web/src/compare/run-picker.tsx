import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { RunRow } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { formatMoment, shortId } from '../format.ts'
import { StandingChip } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { filterRuns, noFilter } from '../runs/filter.ts'

const maxShown = 50

type PickerProps = {
  readonly label: string
  readonly rows: readonly RunRow[]
  readonly autoFocus: boolean
  readonly onPick: (id: string) => void
  /** Absent if a run must be chosen. */
  readonly onCancel?: () => void
}

/** Finds a run by its name, id or reason. */
export function RunPicker({ label, rows, autoFocus, onPick, onCancel }: PickerProps) {
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  const id = useId()
  const found = filterRuns(rows, { ...noFilter, q: text })
  const shown = found.slice(0, maxShown)
  const move = (to: number): void => {
    const next = Math.max(0, Math.min(shown.length - 1, to))
    setChosen(next)
    list.current?.children[next]?.scrollIntoView({ block: 'nearest' })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const row = shown[chosen]
    if (event.key === 'Enter' && row) onPick(row.id)
    else if (event.key === 'ArrowDown') move(chosen + 1)
    else if (event.key === 'ArrowUp') move(chosen - 1)
    else if (event.key === 'Escape' && onCancel) onCancel()
    else return
    event.preventDefault()
  }
  return (
    <div className="border-t border-line p-2">
      <label className="input w-full gap-2">
        <span className="sr-only">{label}</span>
        <Icon name="search" className="text-ink-3" />
        <input
          type="search"
          role="combobox"
          aria-expanded="true"
          aria-controls={id}
          aria-activedescendant={shown[chosen] ? `${id}-${chosen}` : undefined}
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: only after the person asked for this field
          autoFocus={autoFocus}
          placeholder="Name, id or reason"
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setChosen(0)
          }}
          onKeyDown={onKeyDown}
        />
      </label>
      <div ref={list} id={id} role="listbox" aria-label={label} className="cmp-list">
        {shown.map((row, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
          <div
            key={row.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            onClick={() => onPick(row.id)}
            onPointerMove={() => setChosen(index)}
          >
            <span className="min-w-0">
              <span className="block truncate">
                {row.name} <span className="mono text-xs text-ink-3">{shortId(row.id)}</span>
              </span>
              <span className="block text-xs text-ink-3 truncate">
                {row.workspace}, {formatMoment(row.created, now())}
              </span>
            </span>
            <StandingChip run={row} plain className="ml-auto" />
          </div>
        ))}
      </div>
      <p className="px-2 pt-1 text-xs text-ink-3" role="status">
        {found.length === 0 && 'No run has this name, id or reason.'}
        {found.length > maxShown && `${maxShown} of ${found.length} runs. Type to find others.`}
      </p>
    </div>
  )
}
