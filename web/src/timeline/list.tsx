import { useState } from 'react'
import type { Timeline, TimelineAttempt, TimelineTask } from '../../../src/contract/web.ts'
import { formatTicking } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { Link, paths } from '../router.tsx'
import { groupPauses, isOpenAttempt, listRows, lookOfAttempt, type Pause, taskLooks } from './look.ts'
import { describePause, TaskTitle } from './row.tsx'

const shownRows = 60
const maxBarPx = 96

type ListProps = { readonly run: string; readonly timeline: Timeline; readonly until: number }

/** The timeline of small screens: each task, then a line for each attempt with a short bar. */
export function TimelineList({ run, timeline, until }: ListProps) {
  const [all, setAll] = useState(false)
  const rows = listRows(timeline)
  const pauses = groupPauses(timeline, rows)
  const hidden = all ? 0 : Math.max(0, rows.length - shownRows)
  const longest = Math.max(1, ...rows.flatMap(({ attempts }) => attempts.map((one) => (one.to ?? until) - one.from)))
  return (
    <>
      {hidden > 0 && (
        <button type="button" className="btn btn-sm btn-quiet w-full" onClick={() => setAll(true)}>
          Show {hidden} earlier
        </button>
      )}
      <ol className="divide-y divide-line">
        {rows.slice(hidden).map((task) => (
          <TaskItem
            key={task.id}
            run={run}
            task={task}
            pauses={pauses.get(task.id) ?? []}
            until={until}
            longest={longest}
          />
        ))}
      </ol>
    </>
  )
}

type ItemProps = Pick<ListProps, 'run' | 'until'> & {
  readonly task: TimelineTask
  readonly pauses: readonly Pause[]
  readonly longest: number
}

function TaskItem({ run, task, pauses, until, longest }: ItemProps) {
  const { tone, icon, word } = taskLooks[task.state]
  const lines = [
    ...task.attempts.map((attempt) => ({ at: attempt.from, attempt, pause: null })),
    ...pauses.map((pause) => ({ at: pause.from, attempt: null, pause })),
  ].toSorted((a, b) => a.at - b.at)
  return (
    <li className="px-4 py-3">
      <div className="flex items-center gap-2">
        <span className={`st st-${tone} fg`}>
          <Icon name={icon} />
          <span className="sr-only">{word}</span>
        </span>
        <span className="truncate">
          <TaskTitle {...task} />
        </span>
        <span className="ml-auto text-xs text-ink-3 whitespace-nowrap">{task.attempts.length === 0 ? word : ''}</span>
      </div>
      {lines.length > 0 && (
        <ol className="mt-1 grid pl-6">
          {lines.map(({ at, attempt, pause }) => (
            <li key={`${at}-${attempt?.n}`}>
              {attempt ? (
                <AttemptLine run={run} task={task} attempt={attempt} until={until} longest={longest} />
              ) : (
                pause && <PauseLine pause={pause} until={until} />
              )}
            </li>
          ))}
        </ol>
      )}
    </li>
  )
}

const lineClass = 'grid grid-cols-[20px_1fr_auto] items-center gap-2 text-sm min-h-7'

type LineProps = Omit<ItemProps, 'pauses'> & { readonly attempt: TimelineAttempt }

function AttemptLine({ run, task, attempt, until, longest }: LineProps) {
  const look = lookOfAttempt(attempt, isOpenAttempt(task, attempt))
  const ms = (look.isOpen ? until : (attempt.to ?? until)) - attempt.from
  return (
    <Link href={paths.attempt(run, task.id, attempt.n)} className={lineClass}>
      <span className="mono text-xs text-ink-3">{attempt.n}</span>
      <span className={`st st-${look.tone} flex items-center gap-2 min-w-0`}>
        <span
          className="h-2 rounded-sm bg-[var(--c)] flex-none"
          style={{ width: Math.max(6, (ms / longest) * maxBarPx) }}
        />
        <span className="fg truncate">{look.word}</span>
        {attempt.stronger && (
          <span className="st st-up fg">
            <Icon name="up" size={12} />
            <span className="sr-only">stronger model</span>
          </span>
        )}
      </span>
      <span className="text-ink-2">{formatTicking(ms)}</span>
    </Link>
  )
}

const PauseLine = ({ pause, until }: { readonly pause: Pause; readonly until: number }) => (
  <p className={`${lineClass} text-ink-2`}>
    <Icon name={pause.kind === 'question' ? 'you' : 'wait'} size={12} />
    <span className="truncate">
      {describePause(pause.kind)}
      {pause.says && `: ${pause.says}`}
    </span>
    <span>{formatTicking((pause.to ?? until) - pause.from)}</span>
  </p>
)
