import type { RefObject } from 'react'
import type { RunsPayload } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Segments } from '../parts/segments.tsx'
import { type Filter, statuses } from './filter.ts'

type FiltersProps = {
  readonly data: RunsPayload
  readonly filter: Filter
  readonly field: RefObject<HTMLInputElement | null>
  readonly onChange: (changes: Readonly<Record<string, string>>) => void
}

export function Filters({ data, filter, field, onChange }: FiltersProps) {
  const { counts, modes, workspaces } = data
  return (
    <search className="flex flex-wrap items-center gap-2 pt-7 pb-3" aria-label="Filter runs">
      <Segments
        label="Status"
        className="max-md:w-full max-md:overflow-x-auto"
        value={filter.status}
        options={statuses.map(({ value, label, count }) => ({ value, label, count: count(counts) }))}
        onChange={(status) => onChange({ status })}
      />
      <Choice
        label="Mode"
        all="All modes"
        value={filter.mode}
        options={modes.map((mode) => [mode, capitalize(mode)])}
        onChange={(mode) => onChange({ mode })}
      />
      <Choice
        label="Folder"
        all={workspaces.length === 1 ? 'One folder' : `All ${workspaces.length} folders`}
        value={filter.folder}
        options={workspaces.map((folder) => [folder, folder])}
        onChange={(folder) => onChange({ folder })}
      />
      <label className="input md:w-60 max-md:w-full md:ml-auto text-sm gap-2">
        <span className="sr-only">Filter by name, id or reason</span>
        <Icon name="search" className="text-ink-3" />
        <input
          ref={field}
          type="search"
          placeholder="Name, id or reason"
          value={filter.q}
          onChange={({ target }) => onChange({ q: target.value })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            onChange({ q: '' })
            event.currentTarget.blur()
          }}
        />
        <kbd className="kbd">/</kbd>
      </label>
    </search>
  )
}

type ChoiceProps = {
  readonly label: string
  readonly all: string
  readonly value: string
  readonly options: readonly (readonly [string, string])[]
  readonly onChange: (value: string) => void
}

const Choice = ({ label, all, value, options, onChange }: ChoiceProps) => (
  <select
    className="select max-w-56 max-md:flex-1 max-md:max-w-none max-md:min-w-0"
    aria-label={label}
    value={value}
    onChange={({ target }) => onChange(target.value)}
  >
    <option value="">{all}</option>
    {options.map(([one, text]) => (
      <option key={one} value={one}>
        {text}
      </option>
    ))}
  </select>
)
