import type { LoopEvent, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../run/read-run.ts'
import { amount, duration, plural } from '../../../show/format.ts'
import { recordOf } from '../../../show/report/told.ts'
import { sayReason } from '../../../show/words.ts'
import type { NoScoreTold, PhasesTold } from '../contract/told.ts'
import { refinementReasons } from '../core/reasons.ts'
import { sapWording, saySap } from './sap-lines.ts'
import { scoreLines } from './score.ts'
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

/** One event of a refinement as a person reads it. `state` is that after it. */
export function sayRefinement(event: LoopEvent, state: LoopState, about: Refined): string[] {
  const found = phasesFound(event, about)
  if (found) return found
  const wording = sapWording(about.refine.rules.preset)
  return wording ? saySap(event, state, about, wording) : sayCalmly(event, state, about)
}

/** Of the chore that finds the phases: said alike in every wording. */
function phasesFound(event: LoopEvent, { refine }: Refined): string[] | undefined {
  if (event.type !== 'attempt-ended' || !event.chore) return undefined
  const { phases, source, why }: Partial<PhasesTold> = recordOf(event.outcome.data)
  if (phases === undefined) return undefined
  const titles = refine.phaseTitles().map((title) => short(title, 60))
  const names = titles.length > 0 ? `: ${titles.join(', ')}` : ''
  return [
    `${plural(phases, 'phase')}${names}${source === 'fallback' ? ` (the usual ones${why ? `: ${short(why)}` : ''})` : ''}`,
  ]
}

function sayCalmly(event: LoopEvent, state: LoopState, about: Refined): string[] {
  const { name, refine } = about
  switch (event.type) {
    case 'run-started':
      return [`Refining ${name}: ${bounds(about)}`]
    case 'run-resumed':
    case 'run-reopened':
      return [`Going on with ${name} after ${plural(state.attempts, 'iteration')}`]
    case 'attempt-started': {
      const of = state.caps.attemptsPerRun ?? refine.rules.iterations
      const { title } = phaseOf(event.task, refine)
      return event.chore ? [] : [`${title}: iteration ${state.attempts + 1}/${of} by ${labelOf(event.via, refine)}`]
    }
    case 'attempt-ended':
      return attempted(event.outcome, state, about)
    case 'verdict-reached':
      return event.chore ? [] : judged(event.task, event.verdict, about)
    case 'decision-made':
      return decided(event, state, about)
    case 'wait-ended':
      return event.skipped ? ['Wait skipped'] : []
    case 'run-ended':
      return [ended(event, state)]
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
    case 'note-received':
      return []
  }
}

function bounds({ refine: { rules, rubric } }: Refined): string {
  const most = `at most ${plural(rules.iterations, 'iteration')} and ${amount(rules.tokens)} tokens`
  return `${most}, ${rules.stopScore} of 100 is enough (${short(rubric)})`
}

function attempted(outcome: Outcome, state: LoopState, { refine }: Refined): string[] {
  const { crossing, prunedTokens = 0, cut } = attemptTold(outcome)
  const iteration = iterationOf(state)
  const isNew = hasNewFeedback(outcome, refine)
  if (crossing === 'soft')
    return [`Iteration ${iteration} would go past ${amount(refine.rules.escalateTokens)} tokens: not made so`]
  if (crossing === 'hard')
    return [`Iteration ${iteration} is not made: ${short(outcome.detail ?? 'it does not fit', 200)}`]
  if (outcome.status === 'interrupted') return []
  const detail = short(outcome.detail ?? 'no detail', 200)
  if (outcome.status === 'unavailable') return [`${labelOf(state.via, refine)} is not available: ${detail}`]
  if (outcome.status !== 'ok') return [`${labelOf(state.via, refine)} brought nothing (${outcome.status}): ${detail}`]
  return [
    ...(isNew ? [`Iteration ${iteration}: refined with human input`] : []),
    ...(prunedTokens > 0 ? [`${amount(prunedTokens)} tokens of what came before were left out of the prompt`] : []),
    ...(cut ? ['The text ends where the limit of the answer was'] : []),
  ]
}

function judged(task: string | null, verdict: Verdict, { refine }: Refined): string[] {
  const told = scoreTold(verdict)
  if (told) return scoreLines(phaseOf(task, refine).title, told, refine)
  const { why, judge = '' }: Partial<NoScoreTold> = recordOf(verdict.data)
  const who = judge ? `the judge ${labelOf(judge, refine)}` : 'the judge'
  const more = why === 'unreadable' && verdict.detail ? ` (${short(verdict.detail, 200)})` : ''
  return [`No score: ${why ? noScore[why](who) + more : short(verdict.detail ?? 'no detail', 200)}`]
}

const noScore: Readonly<Record<NoScoreTold['why'], (judge: string) => string>> = {
  down: (judge) => `${judge} cannot be reached`,
  unreadable: (judge) => `what ${judge} says cannot be read as one`,
  budget: () => 'judging does not fit what is left',
  'no-text': () => 'there is no text to judge',
}

function decided({ decision, task, chore, at }: Decided, state: LoopState, { refine }: Refined): string[] {
  const { title } = phaseOf(task, refine)
  switch (decision.do) {
    case 'settle':
      if (chore || decision.as === 'interrupted') return []
      return [`${title} ${decision.as} after ${plural(state.burned, 'iteration')}, ${duration(state.taskMs)}`]
    case 'retry':
      return state.verdict ? [`Trying ${title} again (${state.retries}/${refine.rules.retries})`] : ['Trying again']
    case 'escalate':
      return [`Escalated to ${labelOf(decision.via, refine)} (${state.escalations}/${refine.rules.escalations})`]
    case 'failover':
      return [`Going on with ${labelOf(decision.via, refine)} instead`]
    case 'wait':
      return waitLines(decision, at)
    case 'pause':
      return [pauseLine(decision)]
    case 'raise':
    case 'stop':
      return []
  }
}

function ended({ ending, reason }: Ended, state: LoopState): string {
  const spent = `${plural(state.attempts, 'iteration')}, ${amount(state.tokens)} tokens, ${duration(state.activeMs)}`
  const how = ending === 'completed' ? 'Refined' : `Ended as ${ending}`
  return `${how}: ${short(sayReason(refinementReasons, reason), 200)} (${spent})`
}
