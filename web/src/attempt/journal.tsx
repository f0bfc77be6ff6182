import { useState } from 'react'
import type { AttemptPayload } from '../../../src/contract/web.ts'
import { formatUtc } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { RawJson } from '../run/records.tsx'
import { useKeys } from '../shell/keyboard.ts'

/** The lines of the journal that are about the attempt, in words or as they are stored. */
export function JournalLines({ events }: { readonly events: AttemptPayload['events'] }) {
  const [isRaw, setRaw] = useState(false)
  const toggle = (): void => setRaw(!isRaw)
  useKeys({ '.': toggle })
  const button = (
    <button type="button" className="btn btn-sm btn-quiet !h-7" aria-pressed={isRaw} onClick={toggle}>
      Raw JSON <kbd className="kbd">.</kbd>
    </button>
  )
  return (
    <div id="journal">
      <Card title="Journal lines" note={String(events.length)} actions={button}>
        {isRaw ? (
          <RawJson json={events.map(({ json }) => json)} />
        ) : (
          <ol className="px-4 py-2.5 text-sm grid gap-1.5">
            {events.map(({ seq, at, says }) => (
              <li key={seq} className="flex gap-3" title={formatUtc(at)}>
                <span className="mono text-xs leading-5 text-ink-3 min-w-6 text-right">{seq}</span>
                {says}
              </li>
            ))}
          </ol>
        )}
      </Card>
    </div>
  )
}
