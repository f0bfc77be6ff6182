import { type ReactNode, useId } from 'react'
import type { SapRunPayload } from '../../../src/contract/web.ts'
import { capitalize, formatUnit, markAmount, shortId } from '../format.ts'
import { Chip } from '../parts/chip.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { findLast, type LogRow, readRows } from './log-rows.ts'
import { Messages } from './messages.tsx'
import { Phases } from './phases.tsx'
import { listStates, lookOfState, readState } from './state.ts'

/** The run: its state, its phases, what it said, and the facts. */
export function LiveCard({ data }: { readonly data: SapRunPayload }) {
  const id = useId()
  const { run, messages } = data
  const rows = readRows(data.log)
  const { tone, icon, word } = lookOfState(data)
  return (
    <section className="card mb-5 overflow-hidden" aria-labelledby={id}>
      <div className="card-h flex-wrap py-2">
        <h2 id={id} className="wrap-anywhere">
          {run.row.name} <span className="mono text-xs font-normal text-ink-3">{shortId(run.row.id)}</span>
        </h2>
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
        <States state={readState(data)} />
      </div>
      <Phases timeline={run.timeline} isRunning={run.row.standing === 'running'} />
      <Messages messages={messages} rows={rows} />
      <Facts data={data} rows={rows} />
    </section>
  )
}

function States({ state }: { readonly state: string }) {
  return (
    <ol className="sap-states" aria-label="States">
      {listStates(state).map((one) => (
        <li key={one} {...(one === state && { 'aria-current': 'step' })}>
          {one}
        </li>
      ))}
    </ol>
  )
}

function Facts({
  data: { run, correlation_id },
  rows,
}: {
  readonly data: SapRunPayload
  readonly rows: readonly LogRow[]
}) {
  const model = findLast(rows, 'model_used') || run.timeline.tasks.at(-1)?.attempts.at(-1)?.via
  return (
    <div className="flex max-md:flex-wrap items-end gap-x-7 gap-y-1 px-4 py-2.5 border-t border-line text-sm">
      <dl className="flex flex-wrap items-center gap-x-7 gap-y-1 min-w-0">
        {model && <Fact name="Model">{model}</Fact>}
        {run.bounds.map((bound) => (
          <Fact key={bound.cap} name={capitalize(bound.name)}>
            {markAmount(formatUnit[bound.unit](bound.used), bound)} of {formatUnit[bound.unit](bound.of)}
          </Fact>
        ))}
        {correlation_id && (
          <Fact name="correlation_id">
            <span className="mono-sm">{correlation_id}</span>
            <CopyButton text={correlation_id} label="Copy the correlation_id" />
          </Fact>
        )}
      </dl>
      <Link
        className="link ml-auto inline-flex items-center gap-1 min-h-7 whitespace-nowrap"
        href={paths.run(run.row.id)}
      >
        Open the run
        <Icon name="right" size={12} />
      </Link>
    </div>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div className="flex items-center flex-wrap gap-x-2 min-w-0">
    <dt className="text-ink-3">{name}</dt>
    <dd className="min-w-0 flex items-center gap-1">{children}</dd>
  </div>
)
