import type { AttemptPayload, TimelineAttempt } from '../../../src/contract/web.ts'
import { now } from '../clock.ts'
import { capitalize, formatClock, formatMoment } from '../format.ts'
import { Chip } from '../parts/chip.tsx'
import { Icon } from '../parts/icon.tsx'
import { Link, navigate, paths } from '../router.tsx'
import { useKeys } from '../shell/keyboard.ts'
import { Time } from '../shown/spans.tsx'
import { TaskTitle } from '../timeline/row.tsx'
import { lookAt, nameAttempt } from './look.ts'

/** Which attempt of which task, how it ended, and the ones before and after. */
export function Head({ data }: { readonly data: AttemptPayload }) {
  const { run, task, attempt, attempts } = data
  const { tone, icon, word } = lookAt(data, attempt)
  return (
    <>
      <nav className="text-sm text-ink-3 flex flex-wrap items-center gap-1.5 pt-5" aria-label="Path">
        <Link className="hover:text-ink" href={paths.runs}>
          Runs
        </Link>
        <Icon name="right" size={12} />
        <Link className="hover:text-ink wrap-anywhere" href={paths.run(run.id)}>
          {run.name}
        </Link>
        <Icon name="right" size={12} />
        <span className="wrap-anywhere">
          <TaskTitle {...task} />
        </span>
      </nav>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 pt-1 pb-4">
        <h1 className="text-2xl wrap-anywhere">{nameAttempt(task, attempt.n)}</h1>
        <Chip tone={tone} icon={icon}>
          {capitalize(word)}
        </Chip>
        <p className="text-sm text-ink-2 wrap-anywhere">
          {attempts.length > 1 && `${attempts.length} attempts, `}
          {attempt.via && `by ${attempt.via}, `}
          <Time at={attempt.from} text={formatMoment(attempt.from, now())} />
          {attempt.to !== null && formatClock(attempt.to) !== formatClock(attempt.from) && (
            <>
              {' '}
              to <Time at={attempt.to} text={formatClock(attempt.to)} />
            </>
          )}
        </p>
        <Neighbours data={data} />
      </div>
    </>
  )
}

function Neighbours({ data }: { readonly data: AttemptPayload }) {
  const { run, task, attempt, attempts } = data
  const place = attempts.findIndex(({ n }) => n === attempt.n)
  const [before, after] = [attempts[place - 1], attempts[place + 1]]
  const open = (one: TimelineAttempt | undefined): void => {
    if (one) navigate(paths.attempt(run.id, task.id, one.n))
  }
  useKeys({ '[': () => open(before), ']': () => open(after) })
  if (attempts.length < 2) return null
  return (
    <div className="ml-auto flex gap-2 max-md:ml-0">
      <button type="button" className="btn btn-sm btn-line" disabled={!before} onClick={() => open(before)}>
        <Icon name="left" />
        {before ? <Neighbour data={data} attempt={before} /> : <span className="sr-only">Previous attempt</span>}
        <kbd className="kbd">[</kbd>
      </button>
      <button type="button" className="btn btn-sm btn-line" disabled={!after} onClick={() => open(after)}>
        {after ? <Neighbour data={data} attempt={after} /> : <span className="sr-only">Next attempt</span>}
        <kbd className="kbd">]</kbd>
        <Icon name="right" />
      </button>
    </div>
  )
}

type NeighbourProps = { readonly data: AttemptPayload; readonly attempt: TimelineAttempt }

const Neighbour = ({ data, attempt }: NeighbourProps) => (
  <span>
    Attempt {attempt.n}
    <span className="font-normal text-ink-2">, {lookAt(data, attempt).word}</span>
  </span>
)
