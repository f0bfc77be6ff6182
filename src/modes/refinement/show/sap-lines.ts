import type { LoopEvent } from '../../../contract/event.ts'
import type { LoopState } from '../../../run/read-run.ts'
import { sayReason } from '../../../show/words.ts'
import { isRefineReason, refineReasons } from '../contract/reasons.ts'
import { refinementReasons } from '../core/reasons.ts'
import {
  attemptTold,
  type Decided,
  type Ended,
  hasNewFeedback,
  iterationOf,
  labelOf,
  pauseLine,
  phaseOf,
  type Refined,
  scoreTold,
  short,
  waitLines,
} from './told.ts'

type Wording = {
  readonly scored: (event: LoopEvent, state: LoopState, about: Refined) => string[]
  readonly decided: (event: Decided, state: LoopState, about: Refined) => string[]
  readonly aborted: (event: Ended, state: LoopState, about: Refined) => string
}

/** In the words of seed 000: by phases. */
const byPhase: Wording = {
  scored: ({ task }, { verdict }, { refine }) => {
    const { number, title } = phaseOf(task, refine)
    return [`Phase ${number}: ${title} complete - Score: ${percent(verdict?.score ?? 0)}`]
  },
  decided: ({ decision, task }, state, { refine }) => {
    if (decision.do === 'retry') return [`Retrying iteration ${iterationOf(state)}`]
    if (decision.do !== 'escalate') return []
    return [`Escalated to ${labelOf(decision.via, refine)} for phase ${phaseOf(task, refine).number}`]
  },
  // Where nobody answers, nobody is asked for a plain answer either.
  aborted: ({ reason }) =>
    isRefineReason(reason) && refineReasons[reason] !== 30
      ? 'Process aborted, logged'
      : 'Fallback to single-shot logged, process aborted',
}

/** In the words of seed 001: by iterations, each with what follows from it in the same line. */
const byIteration: Wording = {
  scored: () => [],
  decided: ({ decision, task, by }, state, { refine }) => {
    const isScored = scoreTold(state.verdict) !== undefined && task !== null
    const iteration = iterationOf(state)
    const complete = `Iteration ${iteration} complete - Score: ${percent(state.verdict?.score ?? 0)}`
    if (decision.do === 'retry') {
      return [
        isScored
          ? `${complete} - Retrying (${state.retries}/${refine.rules.retries})`
          : `Retrying iteration ${iteration}`,
      ]
    }
    if (decision.do === 'escalate') {
      // One that did not fit was not made, so it is the one that is made now.
      const next = attemptTold(state.outcome).crossing ? iteration : iteration + 1
      const { escalations } = refine.rules
      const used = `(${state.escalations}/${escalations} ${escalations === 1 ? 'escalation' : 'escalations'} used)`
      const escalated = `Escalated to ${labelOf(decision.via, refine)} for iteration ${next} ${used}`
      return isScored ? [complete, escalated] : [escalated]
    }
    const isLast = decision.do === 'settle' || (decision.do === 'stop' && by === 'policy')
    return isScored && isLast ? [complete] : []
  },
  aborted: ({ reason }, state, { refine }) => {
    if (/^(?:iteration_cap|cap spent: (?:attemptsPerRun|tasks))$/.test(reason)) {
      return `Aborted at max ${state.caps.attemptsPerRun ?? refine.rules.iterations} iterations (SapAgent::Config)`
    }
    if (/^(?:token_budget|cap spent: tokens)$/.test(reason)) {
      return 'Budget exceeded: Logged error with correlation_id, partial output returned'
    }
    return 'Error handled: Aborted with partial output logged (schema fields present)'
  },
}

const wordings: Readonly<Record<string, Wording>> = { 'sap-0020': byPhase, 'sap-0010': byIteration }

/** How the seeds say it, where a preset of theirs is in force. */
export const sapWording = (preset: string): Wording | undefined =>
  Object.hasOwn(wordings, preset) ? wordings[preset] : undefined

/** States as the seeds name them: Pending, Paused, Resumed, Completed. */
export function saySap(event: LoopEvent, state: LoopState, about: Refined, wording: Wording): string[] {
  const { refine, name } = about
  switch (event.type) {
    case 'run-started':
      return [`Pending: ${name}`]
    case 'run-resumed':
    case 'run-reopened':
      return ['Resumed']
    case 'note-received':
      return event.note.say === 'answer' ? ['Resumed'] : []
    case 'attempt-ended':
      if (hasNewFeedback(event.outcome, refine)) return [`Iteration ${iterationOf(state)}: Refined with human input`]
      return event.outcome.status === 'unavailable'
        ? [`${labelOf(state.via, refine)} unavailable: ${short(event.outcome.detail ?? 'no detail', 200)}`]
        : []
    case 'verdict-reached':
      if (scoreTold(event.verdict)) return wording.scored(event, state, about)
      return event.chore ? [] : [`Score unavailable: ${short(event.verdict.detail ?? 'no detail', 200)}`]
    case 'decision-made':
      return decided(event, state, about, wording)
    case 'run-ended':
      return ended(event, state, about, wording)
    case 'attempt-started':
    case 'task-picked':
    case 'call-ended':
    case 'wait-ended':
    case 'run-interrupted':
      return []
  }
}

function decided(event: Decided, state: LoopState, about: Refined, wording: Wording): string[] {
  const { decision, at } = event
  if (decision.do === 'failover') return [fallingBack(decision.via, about)]
  if (decision.do === 'wait') return waitLines(decision, at)
  return decision.do === 'pause' ? [pauseLine(decision)] : wording.decided(event, state, about)
}

/** "Claude Sonnet 4.5 then Ollama retry": who takes over, and who does if that one fails as well. */
function fallingBack(via: string, { refine }: Refined): string {
  const isOllama = (id: string): boolean => refine.rungs.get(id)?.provider === 'ollama'
  const said = (id: string): string => (isOllama(id) ? 'Ollama retry' : labelOf(id, refine))
  const rest = refine.failover.slice(refine.failover.indexOf(via) + 1)
  const chain = refine.failover.includes(via) ? [via, ...rest] : [via]
  return `Falling back to ${chain.map(said).join(' then ')}`
}

function ended(event: Ended, state: LoopState, about: Refined, wording: Wording): string[] {
  const { ending, reason } = event
  if (ending === 'completed') return [`Completed - Score: ${percent(state.verdict?.score ?? 0)}`]
  if (ending === 'cancelled') return [`Aborted: ${short(reason, 200)}`]
  return [wording.aborted(event, state, about), `Reason: ${short(sayReason(refinementReasons, reason), 200)}`]
}

const percent = (score: number): string => `${Math.round(score * 100) / 100}%`
