import { type KeyboardEvent, useId, useState } from 'react'
import { shortId } from '../format.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { useRuns } from '../queries.ts'
import { navigate, paths } from '../router.tsx'
import { lookOf, modeIcon } from '../standing.ts'

type Place = { readonly key: string; readonly to: string; readonly name: string; readonly note: string; icon: IconName }

const pages: readonly Place[] = [
  { key: 'runs', to: paths.runs, name: 'Runs', note: 'page', icon: 'delivery' },
  { key: 'waiting', to: paths.waiting(), name: 'Waiting for you', note: 'page', icon: 'you' },
  { key: 'compare', to: paths.compare(), name: 'Compare', note: 'page', icon: 'compare' },
  { key: 'start', to: paths.start, name: 'Start', note: 'page', icon: 'plus' },
  { key: 'sap', to: paths.sap, name: 'SAP collaborate', note: 'page', icon: 'chat' },
]
const maxShown = 12

/** Finds a run or a page by its name or id. */
export function GoTo({ onClose }: { readonly onClose: () => void }) {
  const { data } = useRuns()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState(0)
  const id = useId()
  const places = find(text, [...pages, ...(data?.runs ?? []).map(toPlace)])
  const go = (place: Place | undefined): void => {
    if (!place) return
    onClose()
    navigate(place.to)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') go(places[chosen])
    else if (event.key === 'ArrowDown') setChosen(Math.min(places.length - 1, chosen + 1))
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, chosen - 1))
    else return
    event.preventDefault()
  }
  return (
    <Dialog label="Go to" onClose={onClose}>
      <div className="p-2">
        <label className="input w-full gap-2">
          <span className="sr-only">Go to a run or a page</span>
          <Icon name="search" className="text-ink-3" />
          <input
            type="search"
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={places[chosen] ? `${id}-${chosen}` : undefined}
            autoComplete="off"
            placeholder="Go to…"
            value={text}
            onChange={({ target }) => {
              setText(target.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
        </label>
        <div id={id} role="listbox" aria-label="Places" className="menu-list !static !border-0 !shadow-none mt-1 !p-0">
          {places.map((place, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={place.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={() => go(place)}
              onPointerMove={() => setChosen(index)}
            >
              <Icon name={place.icon} className="text-ink-3" />
              <span className="truncate">{place.name}</span>
              <span className="ml-auto text-xs text-ink-3 whitespace-nowrap">{place.note}</span>
            </div>
          ))}
        </div>
        {places.length === 0 && <p className="px-3 py-4 text-sm text-ink-2">Nothing has this name or id.</p>}
      </div>
    </Dialog>
  )
}

type Row = Parameters<typeof lookOf>[0] & { id: string; name: string; mode: string; workspace: string }

const toPlace = (row: Row): Place => ({
  key: row.id,
  to: paths.run(row.id),
  name: row.name,
  note: `${lookOf(row).word} · ${row.workspace} · ${shortId(row.id)}`,
  icon: modeIcon(row.mode),
})

const find = (text: string, places: readonly Place[]): readonly Place[] => {
  const wanted = text.trim().toLowerCase()
  return places
    .filter(({ name, key }) => name.toLowerCase().includes(wanted) || key.toLowerCase().includes(wanted))
    .slice(0, maxShown)
}
