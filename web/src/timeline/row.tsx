import type { TimelineAttempt, TimelineTask } from '../../../src/contract/web.ts'
import { formatTicking } from '../format.ts'
import { Icon } from '../parts/icon.tsx'
import { AttemptBar, StripBar } from './bar.tsx'
import { layoutRow } from './items.ts'
import { describeTask, hasPeoplesId, type Pause, sumCost, taskLooks } from './look.ts'
import { span } from './places.ts'
import type { Scale } from './scale.ts'

export type Hovered = { readonly task: TimelineTask; readonly attempt: TimelineAttempt; readonly element: HTMLElement }

export type RowProps = {
  readonly run: string
  readonly task: TimelineTask
  /** The task at the moment of a replay, or `later` if it had not begun. */
  readonly moment: TimelineTask | 'later'
  readonly pauses: readonly Pause[]
  readonly scale: Scale
  readonly width: number
  readonly until: number
  readonly playhead: number | null
  readonly tabStop: string | null
  readonly onHover: (hovered: Hovered | null) => void
  readonly onFocus: (key: string) => void
}

export function TimelineRow(props: RowProps) {
  const { task, moment, pauses, scale, width, until, playhead } = props
  const items = layoutRow(task, scale, until, width)
  return (
    <li className="tl-row" data-row={task.id}>
      <TaskName task={task} moment={moment} />
      <div className="tl-track">
        {pauses.map((pause) => (
          <PauseBar key={pause.from} pause={pause} scale={scale} until={until} playhead={playhead} />
        ))}
        {items.map((item) =>
          item.kind === 'strip' ? (
            <StripBar key={item.attempts[0]?.n} strip={item} {...props} />
          ) : (
            <AttemptBar key={item.attempt.seq} bar={item} {...props} />
          ),
        )}
      </div>
      <Sum attempts={moment === 'later' ? [] : moment.attempts} />
    </li>
  )
}

function TaskName({ task, moment }: Pick<RowProps, 'task' | 'moment'>) {
  const shown = moment === 'later' ? { ...task, state: 'open' as const, attempts: [] } : moment
  const { tone, icon, word } = taskLooks[shown.state]
  return (
    <div className="tl-name">
      <span className={`st st-${tone} fg`}>
        <Icon name={icon} />
        <span className="sr-only">{word}</span>
      </span>
      <span className="min-w-0">
        <span className="block truncate" title={task.title}>
          <TaskTitle {...task} />
        </span>
        <span className="block text-xs text-ink-3 truncate" title={describeTask(shown)}>
          {describeTask(shown)}
        </span>
      </span>
    </div>
  )
}

/** The id in medium, then the title. Only one of them if the other says nothing more. */
export const TaskTitle = (task: Pick<TimelineTask, 'id' | 'title'>) =>
  hasPeoplesId(task) ? (
    <>
      <b className="font-medium">{task.id}</b> {task.title === task.id ? '' : task.title}
    </>
  ) : (
    <span className="font-medium">{task.title}</span>
  )

const Sum = ({ attempts }: { readonly attempts: readonly TimelineAttempt[] }) => (
  <div className="tl-sum">
    {attempts.length === 0 ? (
      <span className="text-ink-3">–</span>
    ) : (
      <>
        {attempts.length} {attempts.length === 1 ? 'try' : 'tries'}
        <span className="block text-xs text-ink-3">{sumCost(attempts)}</span>
      </>
    )}
  </div>
)

type PauseProps = Pick<RowProps, 'scale' | 'until' | 'playhead'> & { readonly pause: Pause }

function PauseBar({ pause, scale, until, playhead }: PauseProps) {
  const to = pause.to ?? until
  const [left, right] = [scale.place(pause.from), scale.place(to)]
  const text = `${describePause(pause.kind)} ${formatTicking(to - pause.from)}${pause.says ? `: ${pause.says}` : ''}`
  const isLater = playhead !== null && pause.from > playhead
  return (
    <span
      className={`tl-wait st ${pause.kind === 'question' ? 'st-you' : ''} ${isLater ? 'tl-ghost' : ''}`}
      style={span(left, right - left)}
      title={text}
    >
      <span className="sr-only">{text}</span>
    </span>
  )
}

export const describePause = (kind: Pause['kind']): string =>
  ({ wait: 'waited', question: 'open question for', away: 'not at work for' })[kind]
