import type { Line } from '../../../src/contract/show.ts'
import type { NextStep, RunPayload } from '../../../src/contract/web.ts'
import { useNow } from '../clock.ts'
import { formatDuration, formatSpend, formatTicking, markAmount } from '../format.ts'
import { CommandBox } from '../parts/command-box.tsx'
import { copyText } from '../parts/copy-button.tsx'
import { Icon } from '../parts/icon.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { Spans } from '../shown/spans.tsx'
import { lookOf } from '../standing.ts'
import { trySteering } from './steer.ts'

/** Where the run stands and why, what follows, and the command that goes on. */
export function Banner({ data }: { readonly data: RunPayload }) {
  const { row, next, can } = data
  const isRunning = row.standing === 'running'
  const [first] = next
  useKeys({ c: () => first && void copyText(first.command) })
  return (
    <section
      className={`card card-edge st st-${lookOf(row).tone} mb-5 px-5 py-4 flex flex-wrap items-center gap-x-10 gap-y-4`}
      aria-label="Where it stands"
    >
      <div className="min-w-0 flex-1 basis-96">
        <Sentences data={data} />
        {can.skipWait && (
          <button
            type="button"
            className="btn btn-sm btn-line mt-3"
            onClick={() => trySteering(row.id, 'skip-wait', {})}
          >
            <Icon name="last" />
            Skip the wait
          </button>
        )}
      </div>
      {isRunning ? <Figures data={data} /> : first && <Continue steps={next} />}
    </section>
  )
}

function Sentences({ data }: { readonly data: RunPayload }) {
  const { row, headline, live, forecast } = data
  const isAtWork = live !== null && live.doing.length > 0
  const main = isAtWork && row.standing === 'running' ? live.doing : headline
  const lines: readonly Line[] = [
    ...(isAtWork && main !== live.doing ? [live.doing] : []),
    ...(live?.activity ? [live.activity] : []),
    ...(forecast ? [[forecast.says]] : []),
  ]
  return (
    <>
      <p className="text-lg font-medium wrap-anywhere">
        <Spans line={main} />
      </p>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the banner
        <p key={index} className="text-ink-2 mt-0.5 wrap-anywhere line-clamp-2">
          <Spans line={line} />
        </p>
      ))}
      {row.standing !== 'running' && <Reasons data={data} />}
    </>
  )
}

/** The facts of `why`, without those that the banner shows elsewhere. */
function Reasons({ data: { why } }: { readonly data: RunPayload }) {
  const rows = why
    .flatMap((block) => (block.kind === 'facts' ? block.rows : []))
    .filter(({ lines }) => !lines.every(isOnlyAction))
  if (rows.length === 0) return null
  return (
    <dl className="mt-2 text-sm text-ink-2 grid gap-y-0.5">
      {rows.map(({ name, lines }) => (
        <div key={name} className="flex gap-3">
          <dt className="w-11 flex-none text-ink-3">{name}</dt>
          <dd className="min-w-0 wrap-anywhere">
            {lines.map((line, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the fact
              <p key={index}>
                <Spans line={line} />
              </p>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const isOnlyAction = (line: Line): boolean => line.every((span) => typeof span === 'object' && span.is === 'action')

/** The figures of a run at work. They tick in place. */
function Figures({ data: { row, bounds } }: { readonly data: RunPayload }) {
  const now = useNow()
  const spent = formatSpend(row.spend, row.caps)
  const active = bounds.find(({ cap }) => cap === 'activeMs')
  return (
    <dl className="flex gap-7 max-md:gap-5">
      <Figure name="Last event" value={`${formatTicking(now - row.at)} ago`} />
      {spent && <Figure name="Spent" value={spent.text} />}
      {active && <Figure name="Active" value={markAmount(formatDuration(active.used), active)} />}
    </dl>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="min-w-16">
    <dt className="text-xs text-ink-3">{name}</dt>
    <dd className="font-medium whitespace-nowrap">{value}</dd>
  </div>
)

function Continue({ steps }: { readonly steps: readonly NextStep[] }) {
  const [first, ...others] = steps
  if (!first) return null
  return (
    <div className="lg:w-[400px] w-full min-w-0">
      <Step step={first} hasKey />
      {others.length > 0 && (
        <details className="mt-2">
          <summary className="text-sm text-ink-2 inline-flex items-center gap-1 min-h-6">
            <Icon name="right" size={12} className="chev" />
            {others.length} more
          </summary>
          {others.map((step) => (
            <div key={step.command} className="mt-2">
              <Step step={step} />
            </div>
          ))}
        </details>
      )}
    </div>
  )
}

function Step({ step, hasKey = false }: { readonly step: NextStep; readonly hasKey?: boolean }) {
  return (
    <>
      <CommandBox command={step.command} />
      {hasKey && (
        <p className="text-xs text-ink-3 mt-1.5 max-md:hidden">
          <kbd className="kbd">c</kbd> copies the command.
        </p>
      )}
    </>
  )
}
