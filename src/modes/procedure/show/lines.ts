import type { LoopEvent } from '../../../contract/event.ts'
import type { Line } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { duration, plural } from '../../../show/format.ts'
import { noteLine } from '../../../show/note-line.ts'
import { formatReason } from '../../../show/reasons.ts'
import type { Step } from '../../../show/show.ts'
import { verdictData } from '../core/event-data.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { procedureReasons } from '../core/reasons.ts'
import { type Session, sessionSoFar } from '../core/session.ts'

/** One event as a person reads it, in the words of seed 002. Nothing for events that say nothing new. */
export function procedureLines({ event, after }: Step<ProcedureMemo>, name: string): readonly Line[] {
  const { state } = after
  const { caps } = state
  switch (event.type) {
    case 'run-started': {
      const most = caps.tasks ? `max ${plural(caps.tasks, 'iteration')}` : 'unlimited iterations'
      return [[`Starting procedure: ${name} (${most})`]]
    }
    case 'run-resumed':
    case 'run-reopened':
      return resumed(sessionSoFar(after), name, caps.tasks)
    case 'attempt-started':
      return [[`${iteration(event.task, caps.tasks)} starting...`]]
    case 'verdict-reached':
      return event.verdict.status === 'failed' ? [[failure(event.verdict, state)]] : []
    case 'decision-made':
      return decided(event, state)
    case 'wait-ended':
      return [[event.skipped ? 'Wait skipped' : 'Wait over']]
    case 'run-ended':
      return [[ended(event, state)]]
    case 'attempt-ended':
      return event.outcome.status === 'unavailable'
        ? [[`AI CLI unavailable (${event.outcome.detail ?? 'no detail'})`]]
        : []
    case 'note-received':
      return noteLine(event)
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
      return []
  }
}

function resumed({ begun, completed, interrupted, activeMs }: Session, name: string, max: number | undefined): Line[] {
  const cut = interrupted ? `, ${interrupted} interrupted,` : ''
  const what = interrupted ? `${completed} completed` : `${plural(completed, 'iteration')} completed`
  return [
    [`Resuming procedure: ${name} from iteration ${begun}${max ? ` (max ${max})` : ''}`],
    [`Previous session: ${what}${cut} in ${duration(activeMs)}`],
  ]
}

/** "Iteration 2/10" */
export const iteration = (task: string | null, max: number | undefined): string =>
  `Iteration ${(task ?? '').replace('iteration-', '')}${max ? `/${max}` : ''}`

function failure(verdict: Extract<LoopEvent, { type: 'verdict-reached' }>['verdict'], state: LoopState): string {
  const what = verdictData(verdict).by === 'gate' ? 'Quality gates failed' : 'AI CLI failed'
  const of = state.caps.failuresInARow ? `/${state.caps.failuresInARow}` : ''
  return `WARNING: ${what} (${verdict.detail ?? 'no detail'}), consecutive failures: ${state.failuresInARow}${of}`
}

function decided({ decision, task }: Extract<LoopEvent, { type: 'decision-made' }>, state: LoopState): Line[] {
  if (decision.do === 'settle') {
    // Seed 002 says nothing of an interrupted one here, and of the last failure only that it was the last.
    const last = state.failuresInARow >= (state.caps.failuresInARow ?? Infinity)
    if (decision.as === 'interrupted' || last) return []
    return [[`${iteration(task, state.caps.tasks)} completed in ${duration(state.taskMs)}`]]
  }
  if (decision.do === 'wait') {
    const reason = formatReason(procedureReasons, decision.reason)
    const skip = { is: 'action', action: { do: 'resume', now: true } } as const
    return [['Waiting until ', { is: 'at', at: decision.until }, ` (${reason}); skip with: `, skip]]
  }
  if (decision.do === 'pause') {
    const { topic } = decision.question
    const what = topic.code === 'paused' ? 'Paused' : `It asks: ${formatReason(procedureReasons, topic)}`
    return [[`${what}; go on with: `, { is: 'action', action: { do: 'answer' } }]]
  }
  return []
}

function ended({ ending, reason }: Extract<LoopEvent, { type: 'run-ended' }>, state: LoopState): string {
  const total = `total: ${duration(state.activeMs)}`
  if (reason.code === 'max_iterations') {
    const open = ending === 'completed' ? '' : ', not done yet'
    return `Reached max iterations: ${state.caps.tasks}${open} (${total})`
  }
  if (reason.code === 'cap_spent' && reason.cap === 'failuresInARow') {
    const many = plural(state.failuresInARow, 'consecutive failure')
    return `ERROR: Aborting after ${many} (${plural(state.tasks, 'iteration')} completed, ${total})`
  }
  const how = ending === 'completed' ? 'Completed' : `Ended as ${ending}`
  return `${how}: ${formatReason(procedureReasons, reason)} (${total})`
}
