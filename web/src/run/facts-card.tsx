import type { ReactNode } from 'react'
import type { RunPayload } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { capitalize, formatMoment } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Time } from '../shown/spans.tsx'

export function FactsCard({ data: { row, address, lastSeq } }: { readonly data: RunPayload }) {
  return (
    <Card title="Facts">
      <dl className="px-4 py-2.5 text-sm">
        <Fact name="Run">
          <span className="flex items-center gap-1">
            <span className="mono-sm">{row.id}</span>
            <CopyButton text={row.id} label="Copy the run id" />
          </span>
        </Fact>
        <Fact name="Mode">{capitalize(row.mode)}</Fact>
        <Fact name="Folder">{row.workspace}</Fact>
        <Fact name="Started">
          <Time at={row.created} text={formatMoment(row.created, now())} />
        </Fact>
        <Fact name="Last event">
          <Time at={row.at} text={formatMoment(row.at, now())} />, event {lastSeq}
        </Fact>
        <Fact name="Files">
          <span className="mono-sm">{address}</span>
        </Fact>
      </dl>
    </Card>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex items-baseline gap-3 py-1">
    <dt className="w-20 flex-none text-ink-3">{name}</dt>
    <dd className="min-w-0 wrap-anywhere">{children}</dd>
  </div>
)
