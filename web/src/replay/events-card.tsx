import { useState } from 'react'
import type { LogLine } from '../../../src/contract/web.ts'
import { formatClock } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { RunJson } from '../run/records.tsx'
import { Spans } from '../shown/spans.tsx'

const before = 8
const after = 4

type EventsProps = {
  readonly lines: readonly LogLine[]
  readonly seq: number
  readonly onSeq: (seq: number) => void
  readonly run: string
}

/** The lines of the log around the moment. Those that came later are faint. */
export function EventsCard({ lines, seq, onSeq, run }: EventsProps) {
  const [isRaw, setRaw] = useState(false)
  const at = lines.findLastIndex((line) => line.seq <= seq)
  const from = Math.max(0, at - before)
  const shown = lines.slice(from, from + before + after + 1)
  const toggle = (
    <button type="button" className="btn btn-sm btn-quiet !h-7" onClick={() => setRaw(!isRaw)}>
      {isRaw ? 'Lines' : 'Raw JSON'}
    </button>
  )
  return (
    <Card title="Events" actions={toggle}>
      {isRaw ? (
        <RunJson run={run} seq={seq} />
      ) : (
        <ol className="ev py-2">
          {shown.map((line, index) => (
            <li
              key={line.n}
              className={from + index === at ? 'ev-now' : line.seq > seq ? 'ev-later' : ''}
              aria-current={from + index === at ? 'true' : undefined}
            >
              <button
                type="button"
                className="mono text-right cursor-pointer hover:underline min-h-6"
                aria-label={`Go to event ${line.seq}`}
                onClick={() => onSeq(line.seq)}
              >
                {line.seq}
              </button>
              <span className="mono leading-6">{formatClock(line.at, true)}</span>
              <span className={`wrap-anywhere leading-6 ${line.isError && line.seq <= seq ? 'text-bad-ink' : ''}`}>
                <Spans line={line.line} at={line.at} plain />
              </span>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
