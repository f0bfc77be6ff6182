import type { LoopEvent, Note } from '../../../contract/event.ts'
import type { View } from '../../../run/fold-run.ts'
import type { LoopState } from '../../../run/read-run.ts'
import type { Subject } from '../../../run/subject.ts'
import { clockTime, duration, moment, plural } from '../../../show/format.ts'
import { kernelReasons, sayReason } from '../../../show/words.ts'
import { sayStory } from '../../delivery/show/story-lines.ts'
import { sayRefinement } from '../../refinement/show/lines.ts'
import { type Session, sessionSoFar } from './session.ts'

/** One event as a person reads it. Nothing for events that say nothing new. */
export function linesOf(event: LoopEvent, view: View<unknown>, subject: Subject): string[] {
  const said = say(event, view, subject)
  return [...said, ...noteLine(event)].map((text) => `[${clockTime(event.at)}] ${text}`)
}

function say(event: LoopEvent, view: View<unknown>, { name, titles, refine }: Subject): string[] {
  if (refine) return sayRefinement(event, view.state, { name, refine })
  return titles ? sayStory(event, view, { name, titles }) : sayIteration(event, view, name)
}

const noteLine = (event: LoopEvent): string[] =>
  event.type === 'note-received' ? [`${event.note.by} ${noteWords[event.note.say]}`] : []

/** Of a procedure, in the words of seed 002. */
function sayIteration(event: LoopEvent, view: View<unknown>, name: string): string[] {
  const { state } = view
  const { caps } = state
  switch (event.type) {
    case 'run-started':
      return [
        `Starting procedure: ${name} (${caps.tasks ? `max ${plural(caps.tasks, 'iteration')}` : 'unlimited iterations'})`,
      ]
    case 'run-resumed':
    case 'run-reopened':
      return resumed(sessionSoFar(view), name, caps.tasks)
    case 'attempt-started':
      return [`${iteration(event.task, caps.tasks)} starting...`]
    case 'verdict-reached':
      return event.verdict.status === 'failed' ? [failure(event.verdict, state)] : []
    case 'decision-made':
      return decided(event, state)
    case 'wait-ended':
      return [event.skipped ? 'Wait skipped' : 'Wait over']
    case 'run-ended':
      return [ended(event, state)]
    case 'attempt-ended':
      return event.outcome.status === 'unavailable'
        ? [`AI CLI unavailable (${event.outcome.detail ?? 'no detail'})`]
        : []
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
    case 'note-received':
      return []
  }
}

function resumed(
  { begun, completed, interrupted, activeMs }: Session,
  name: string,
  max: number | undefined,
): string[] {
  const cut = interrupted ? `, ${interrupted} interrupted,` : ''
  const what = interrupted ? `${completed} completed` : `${plural(completed, 'iteration')} completed`
  return [
    `Resuming procedure: ${name} from iteration ${begun}${max ? ` (max ${max})` : ''}`,
    `Previous session: ${what}${cut} in ${duration(activeMs)}`,
  ]
}

/** What a person did, in a few words. */
const noteWords = {
  answer: 'answered',
  pause: 'paused it',
  cancel: 'ended it',
  'skip-wait': 'will not wait',
  raise: 'set new bounds',
  feedback: 'commented',
  amend: 'changed what it goes by',
} as const satisfies Record<Note['say'], string>

export const iteration = (task: string | null, max: number | undefined): string =>
  `Iteration ${(task ?? '').replace('iteration-', '')}${max ? `/${max}` : ''}`

function failure({ detail, data }: { detail?: string | undefined; data?: unknown }, state: LoopState): string {
  const what = (data as { by?: string } | undefined)?.by === 'gate' ? 'Quality gates failed' : 'AI CLI failed'
  const of = state.caps.failuresInARow ? `/${state.caps.failuresInARow}` : ''
  return `WARNING: ${what} (${detail ?? 'no detail'}), consecutive failures: ${state.failuresInARow}${of}`
}

function decided({ decision, task }: Extract<LoopEvent, { type: 'decision-made' }>, state: LoopState): string[] {
  if (decision.do === 'settle') {
    // Seed 002 says nothing of an interrupted one here, and of the last failure only that it was the last.
    const last = state.failuresInARow >= (state.caps.failuresInARow ?? Infinity)
    if (decision.as === 'interrupted' || last) return []
    return [`${iteration(task, state.caps.tasks)} completed in ${duration(state.taskMs)}`]
  }
  if (decision.do === 'wait')
    return [`Waiting until ${moment(decision.until)} UTC (${decision.reason}); skip with: pawl resume --now`]
  if (decision.do === 'pause')
    return [
      `${decision.question.topic === 'paused' ? 'Paused' : `It asks: ${decision.question.topic}`}; go on with: pawl answer`,
    ]
  return []
}

function ended({ ending, reason }: Extract<LoopEvent, { type: 'run-ended' }>, state: LoopState): string {
  const total = `total: ${duration(state.activeMs)}`
  if (reason === 'reached max iterations') {
    const open = ending === 'completed' ? '' : ', not done yet'
    return `Reached max iterations: ${state.caps.tasks}${open} (${total})`
  }
  if (reason === 'cap spent: failuresInARow') {
    const many = plural(state.failuresInARow, 'consecutive failure')
    return `ERROR: Aborting after ${many} (${plural(state.tasks, 'iteration')} completed, ${total})`
  }
  return `${ending === 'completed' ? 'Completed' : `Ended as ${ending}`}: ${sayReason(kernelReasons, reason)} (${total})`
}
