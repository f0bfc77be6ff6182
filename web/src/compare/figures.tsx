import { useState } from 'react'
import type { ComparePayload } from '../../../src/contract/web.ts'
import { capitalize } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'

/** The figures of both runs. The better side is ticked where the server says which one it is. */
export function Figures({ rows }: Pick<ComparePayload, 'rows'>) {
  const [onlyDifferent, setOnly] = useState(false)
  const shown = onlyDifferent ? rows.filter(({ a, b }) => a !== b) : rows
  const filter = (
    <label className="flex items-center gap-2 text-sm text-ink-2 min-h-6">
      <input
        type="checkbox"
        className="accent-ink"
        checked={onlyDifferent}
        onChange={({ target }) => setOnly(target.checked)}
      />
      Only what differs
    </label>
  )
  return (
    <Card title="Figures" actions={filter}>
      <table className="block-table cmp-figures">
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" className="end">
              A
            </th>
            <th scope="col" className="end">
              B
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, a, b, better }) => (
            <tr key={name}>
              <th scope="row">{capitalize(name)}</th>
              <Figure value={a} isBetter={better === 'a'} />
              <Figure value={b} isBetter={better === 'b'} />
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p className="px-4 py-3 text-sm text-ink-2">No figure differs.</p>}
    </Card>
  )
}

const Figure = ({ value, isBetter }: { readonly value: string; readonly isBetter: boolean }) => (
  <td className={`end ${isBetter ? 'font-medium' : ''}`}>
    {isBetter && (
      <span className="st st-ok fg mr-1.5" title="better">
        <Icon name="check" size={12} />
        <span className="sr-only">better:</span>
      </span>
    )}
    {value === '' ? '–' : value}
  </td>
)
