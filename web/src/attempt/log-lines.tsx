import type { LogLine } from '../../../src/contract/web.ts'
import { formatClock } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { Spans, Time } from '../shown/spans.tsx'

/** What the log says about the attempt. */
export function LogLines({ lines }: { readonly lines: readonly LogLine[] }) {
  return (
    <div id="log">
      <Card title="In the log">
        <ol className="py-2">
          {lines.map((line) => (
            <li key={line.n} className={`step py-1 ${line.isError ? 'st st-bad' : ''}`}>
              <Time at={line.at} text={formatClock(line.at, true)} />
              <span className="flex gap-2 min-w-0">
                {line.isError && (
                  <span className="fg mt-0.5">
                    <Icon name="bad" size={12} />
                    <span className="sr-only">Error: </span>
                  </span>
                )}
                <span className="min-w-0 wrap-anywhere">
                  <Spans line={line.line} at={line.at} />
                </span>
              </span>
            </li>
          ))}
        </ol>
      </Card>
    </div>
  )
}
