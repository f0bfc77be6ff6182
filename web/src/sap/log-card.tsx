import { useState } from 'react'
import type { SapRunPayload } from '../../../src/contract/web.ts'
import { formatClock, formatUtc } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { ScrollArea } from '../parts/scroll-area.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { type LogRow, readField, readRows } from './log-rows.ts'

/** The fields of the table. Raw JSON has all of them. */
const columns = [
  'timestamp',
  'event',
  'outcome',
  'state',
  'model_used',
  'iteration',
  'score',
  'elapsed_ms',
  'by',
] as const
const numeric: readonly string[] = ['iteration', 'score', 'elapsed_ms']
const hashLength = 12

/** The newest lines of the log, newest first. */
export function LogCard({ log }: Pick<SapRunPayload, 'log'>) {
  const [isRaw, setRaw] = useState(false)
  useKeys({ '.': () => setRaw(!isRaw) })
  const toggle = (
    <button type="button" className="btn btn-sm btn-quiet !h-7" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
      Raw JSON
    </button>
  )
  return (
    <Card title="agent_logs/sap.log" className="sap-log" actions={toggle}>
      {log.length === 0 ? (
        <p className="px-4 py-4 text-sm text-ink-2">No line of this run is in the log yet.</p>
      ) : isRaw ? (
        <RawLines log={log} />
      ) : (
        <LogTable rows={readRows(log)} />
      )}
    </Card>
  )
}

function LogTable({ rows }: { readonly rows: readonly LogRow[] }) {
  return (
    <ScrollArea>
      <table className="sap-table">
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col" className={numeric.includes(name) ? 'end' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.toReversed().map((row, index) => (
            <tr key={readField(row, 'uuid') || index}>
              {columns.map((name) => (
                <td key={name} className={numeric.includes(name) ? 'end' : ''}>
                  <Value name={name} text={readField(row, name)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  )
}

function Value({ name, text }: { readonly name: string; readonly text: string }) {
  if (text === '') return <span className="text-ink-3">–</span>
  if (name === 'by') return <span title={text}>{text.slice(0, hashLength)}</span>
  const at = name === 'timestamp' ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at)) return text
  return (
    <time dateTime={text} title={formatUtc(at)}>
      {formatClock(at, true)}.{String(new Date(at).getMilliseconds()).padStart(3, '0')}
    </time>
  )
}

/** As in the file: one JSON object a line, oldest first. */
function RawLines({ log }: Pick<SapRunPayload, 'log'>) {
  const text = log.map((line) => JSON.stringify(line)).join('\n')
  return (
    <div className="relative p-3">
      <div className="absolute right-5 top-5 bg-sunk rounded-md">
        <CopyButton text={text} label="Copy the JSON" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="pre !pr-12 max-h-[480px] overflow-auto" tabIndex={0} aria-label="Raw JSON">
        {text}
      </section>
    </div>
  )
}
