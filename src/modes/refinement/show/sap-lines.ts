import type { LoopEvent, Outcome } from '../../../contract/event.ts'
import type { Reason } from '../../../contract/reasons.ts'
import type { CapName } from '../../../contract/values.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { isRefineReason, type RefineReason, refineReasons } from '../contract/reasons.ts'
import { attemptData, scoreData } from '../core/event-data.ts'
import { formatEnding } from '../core/reasons.ts'
import { findLabel, findPhase, type RunLabels, short } from './run-labels.ts'
import {
  currentIteration,
  type Decided,
  type Ended,
  hasNewFeedback,
  pauseLine,
  type RefinementStep,
  type StepLines,
  waitLines,
} from './step-lines.ts'

type Wording = {
  readonly scored: (event: LoopEvent, state: LoopState, subject: RunLabels) => string[]
  readonly decided: (event: Decided, state: LoopState, subject: RunLabels) => string[]
  readonly aborted: (event: Ended, state: LoopState, subject: RunLabels) => string
}

/** Wording of seed 000: by phases. */
const byPhase: Wording = {
  scored: ({ task }, { verdict }, subject) => {
    const { number, title } = findPhase(task, subject)
    return [`Phase ${number}: ${title} complete - Score: ${percent(verdict?.score ?? 0)}`]
  },
  decided: ({ decision, task }, state, subject) => {
    if (decision.do === 'retry') return [`Retrying iteration ${currentIteration(state)}`]
    if (decision.do !== 'escalate') return []
    return [`Escalated to ${findLabel(decision.via, subject)} for phase ${findPhase(task, subject).number}`]
  },
  // If no model answers, there is no single-shot attempt either.
  aborted: ({ reason: { code } }) =>
    isRefineReason(code) && refineReasons[code] !== 30
      ? 'Process aborted, logged'
      : 'Fallback to single-shot logged, process aborted',
}

/** Wording of seed 001: by iterations, each with the decision on the same line. */
const byIteration: Wording = {
  scored: () => [],
  decided: ({ decision, task, by }, state, subject) => {
    const { rules } = subject
    const isScored = scoreData(state.verdict) !== undefined && task !== null
    const iteration = currentIteration(state)
    const complete = `Iteration ${iteration} complete - Score: ${percent(state.verdict?.score ?? 0)}`
    if (decision.do === 'retry') {
      return [
        isScored ? `${complete} - Retrying (${state.retries}/${rules.retries})` : `Retrying iteration ${iteration}`,
      ]
    }
    if (decision.do === 'escalate') {
      // An iteration that did not fit was not made, so its number is used again.
      const next = attemptData(state.outcome).crossing ? iteration : iteration + 1
      const { escalations } = rules
      const used = `(${state.escalations}/${escalations} ${escalations === 1 ? 'escalation' : 'escalations'} used)`
      const escalated = `Escalated to ${findLabel(decision.via, subject)} for iteration ${next} ${used}`
      return isScored ? [complete, escalated] : [escalated]
    }
    const isLast = decision.do === 'settle' || (decision.do === 'stop' && by === 'policy')
    return isScored && isLast ? [complete] : []
  },
  aborted: ({ reason }, state, { rules }) => {
    if (isSpent(reason, 'iteration_cap', ['attemptsPerRun', 'tasks'])) {
      return `Aborted at max ${state.caps.attemptsPerRun ?? rules.iterations} iterations (SapAgent::Config)`
    }
    if (isSpent(reason, 'token_budget', ['tokens'])) {
      return 'Budget exceeded: Logged error with correlation_id, partial output returned'
    }
    return 'Error handled: Aborted with partial output logged (schema fields present)'
  },
}

/** True if this bound ended the run, by a rule of the refinement or of the kernel. */
const isSpent = ({ code, cap }: Reason, own: RefineReason, caps: readonly CapName[]): boolean =>
  code === own || (code === 'cap_spent' && caps.some((one) => one === cap))

const wordings: Readonly<Record<string, Wording>> = { 'sap-0020': byPhase, 'sap-0010': byIteration }

/** Undefined unless the preset belongs to a seed. */
export const sapWording = (preset: string): Wording | undefined =>
  Object.hasOwn(wordings, preset) ? wordings[preset] : undefined

const endsPause = ({ event, before }: RefinementStep): boolean =>
  event.type === 'note-received' && event.note.say === 'unpause' && before.state.question !== undefined

/** Uses the seeds' names of states: Pending, Paused, Resumed, Completed. */
export function sapLines(step: RefinementStep, subject: RunLabels, wording: Wording): StepLines[] {
  const { event } = step
  const { state } = step.after
  switch (event.type) {
    case 'run-started':
      return [`Pending: ${subject.name}`]
    case 'run-resumed':
    case 'run-reopened':
      return ['Resumed']
    case 'note-received':
      return event.note.say === 'answer' || endsPause(step) ? ['Resumed'] : []
    case 'attempt-ended':
      if (hasNewFeedback(event.outcome, step)) return [`Iteration ${currentIteration(state)}: Refined with human input`]
      return failedLines(event.outcome, state, subject)
    case 'verdict-reached':
      if (scoreData(event.verdict)) return wording.scored(event, state, subject)
      return event.chore ? [] : [`Score unavailable: ${short(event.verdict.detail ?? 'no detail', 200)}`]
    case 'decision-made':
      return decided(event, state, subject, wording)
    case 'run-ended':
      return ended(event, step.after, subject, wording)
    case 'attempt-started':
    case 'task-picked':
    case 'call-ended':
    case 'wait-ended':
    case 'run-interrupted':
      return []
  }
}

function failedLines({ status, detail = 'no detail' }: Outcome, { via }: LoopState, subject: RunLabels): string[] {
  if (status === 'ok' || status === 'interrupted') return []
  const what = status === 'unavailable' ? 'unavailable' : 'returned no text'
  return [`${findLabel(via, subject)} ${what}: ${short(detail, 200)}`]
}

function decided(event: Decided, state: LoopState, subject: RunLabels, wording: Wording): StepLines[] {
  const { decision, at } = event
  if (decision.do === 'failover') return [formatFailover(decision.via, subject)]
  if (decision.do === 'wait') return waitLines(decision, at)
  return decision.do === 'pause' ? [pauseLine(decision)] : wording.decided(event, state, subject)
}

/** "Claude Sonnet 4.5 then Ollama retry": the models that take over, in order. */
function formatFailover(via: string, subject: RunLabels): string {
  const { rungs, failover } = subject
  const isOllama = (id: string): boolean => rungs.get(id)?.provider === 'ollama'
  const said = (id: string): string => (isOllama(id) ? 'Ollama retry' : findLabel(id, subject))
  const chain = failover.includes(via) ? failover.slice(failover.indexOf(via)) : [via]
  return `Falling back to ${chain.map(said).join(' then ')}`
}

function ended(event: Ended, { state, memo }: RefinementStep['after'], subject: RunLabels, wording: Wording): string[] {
  const { ending, reason } = event
  if (ending === 'completed') return [`Completed - Score: ${percent(state.verdict?.score ?? 0)}`]
  const says = short(formatEnding(reason, memo), 400)
  if (ending === 'cancelled') return [`Aborted: ${says}`]
  return [wording.aborted(event, state, subject), `Reason: ${says}`]
}

const percent = (score: number): string => `${Math.round(score * 100) / 100}%`
