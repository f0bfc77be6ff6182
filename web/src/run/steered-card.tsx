import type { Steered } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { formatMoment } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Time } from '../shown/spans.tsx'

/** What people did to the run, newest first. */
export function SteeredCard({ steered }: { readonly steered: readonly Steered[] }) {
  return (
    <Card title="Who steered">
      <ol className="divide-y divide-line">
        {steered.toReversed().map(({ seq, at, by, says }) => (
          <li key={seq} className="px-4 py-2.5">
            <p className="wrap-anywhere">{says}</p>
            <p className="text-xs text-ink-3 mt-0.5">
              {by}, event {seq} · <Time at={at} text={formatMoment(at, now())} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}
