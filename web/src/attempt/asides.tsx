import type { ReactNode } from 'react'
import type { AttemptPayload, TimelineAttempt } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { capitalize, formatCount, formatDuration, formatMoment, formatMoney, formatTokens } from '../format.ts'
import { Card } from '../parts/card.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { Time } from '../shown/spans.tsx'
import { nameTask } from '../timeline/look.ts'
import { lookAt } from './look.ts'

/** Cost, facts, and the other attempts of the task. */
export function Asides({ data }: { readonly data: AttemptPayload }) {
  return (
    <>
      <Cost attempt={data.attempt} />
      <Facts data={data} />
      {data.attempts.length > 1 && <Attempts data={data} />}
    </>
  )
}

function Cost({ attempt }: { readonly attempt: TimelineAttempt }) {
  const { tokens, costUsd, from, workedTo, to } = attempt
  const isPaid = costUsd !== null && costUsd > 0
  const figure = isPaid ? formatMoney(costUsd) : tokens === null ? 'not told' : `${formatTokens(tokens)} tokens`
  const beside = isPaid ? (tokens === null ? '' : `${formatTokens(tokens)} tokens`) : costUsd === 0 ? 'no cost' : ''
  return (
    <Card title="Cost and time">
      <div className="px-4 py-3">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span className="text-xl font-semibold">{figure}</span>
          <span className="text-sm text-ink-2" title={tokens === null ? undefined : `${formatCount(tokens)} tokens`}>
            {beside}
          </span>
        </p>
        {workedTo !== null && <TimeBar worked={workedTo - from} verified={Math.max(0, (to ?? workedTo) - workedTo)} />}
      </div>
    </Card>
  )
}

type TimeBarProps = { readonly worked: number; readonly verified: number }

function TimeBar({ worked, verified }: TimeBarProps) {
  const whole = Math.max(1, worked + verified)
  const label = `${formatDuration(worked)} of work, ${formatDuration(verified)} of verification`
  return (
    <>
      <div className="split mt-2.5" role="img" aria-label={label}>
        <i style={{ width: `${(100 * worked) / whole}%` }} />
        {verified > 0 && <b />}
      </div>
      <ul className="text-xs text-ink-2 mt-2 grid gap-1">
        <TimePart className="bg-line-2" name="work" ms={worked} />
        <TimePart className="bg-ink" name="verification" ms={verified} />
      </ul>
    </>
  )
}

const TimePart = ({ className, name, ms }: { className: string; name: string; ms: number }) => (
  <li className="flex items-center gap-2">
    <i className={`w-2 h-2 rounded-xs ${className}`} />
    {name}
    <span className="ml-auto">{formatDuration(ms)}</span>
  </li>
)

function Facts({ data }: { readonly data: AttemptPayload }) {
  const { run, attempt } = data
  return (
    <Card title="Facts">
      <dl className="px-4 py-2.5 text-sm">
        {attempt.via && (
          <Fact name="By">
            {attempt.via}
            {attempt.stronger && (
              <span className="chip st st-up ml-2">
                <Icon name="up" size={12} />
                stronger model
              </span>
            )}
          </Fact>
        )}
        <Fact name="Ended">{attempt.outcome === null ? 'not yet' : attempt.outcome.replace('-', ' ')}</Fact>
        {attempt.verdict && <Fact name="Verdict">{attempt.verdict}</Fact>}
        {attempt.score !== null && <Fact name="Score">{attempt.score}</Fact>}
        <Fact name="Started">
          <Time at={attempt.from} text={formatMoment(attempt.from, now())} />
        </Fact>
        {attempt.to !== null && <Fact name="Took">{formatDuration(attempt.to - attempt.from)}</Fact>}
        <Fact name="Run">
          <Link className="link" href={paths.run(run.id)}>
            {run.name}
          </Link>
          , {capitalize(run.mode)}
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

function Attempts({ data }: { readonly data: AttemptPayload }) {
  const { run, task, attempt, attempts } = data
  return (
    <Card
      title={nameTask(task).startsWith('attempt ') ? 'Attempts' : `Attempts at ${nameTask(task)}`}
      note={String(attempts.length)}
    >
      <ol className="divide-y divide-line max-h-[420px] overflow-y-auto">
        {attempts.map((one) => {
          const { tone, icon, word } = lookAt(data, one)
          const isCurrent = one.n === attempt.n
          return (
            <li key={one.n}>
              <Link
                href={paths.attempt(run.id, task.id, one.n)}
                className={`px-4 py-2.5 flex items-center gap-2.5 hover:bg-sunk ${isCurrent ? 'bg-sunk' : ''}`}
                {...(isCurrent && { 'aria-current': 'page' as const })}
              >
                <span className={`st st-${tone} fg`}>
                  <Icon name={icon} />
                </span>
                <span className="font-medium">
                  <span className="sr-only">Attempt </span>
                  {one.n}
                </span>
                <span className="text-sm text-ink-2 truncate">
                  {word}
                  {one.score !== null && `, ${one.score}`}
                </span>
                {one.stronger && (
                  <span className="st st-up fg">
                    <Icon name="up" size={12} />
                    <span className="sr-only">stronger model</span>
                  </span>
                )}
                <span className="ml-auto text-sm">{one.to === null ? '' : formatDuration(one.to - one.from)}</span>
              </Link>
            </li>
          )
        })}
      </ol>
    </Card>
  )
}
