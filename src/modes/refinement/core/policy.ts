import type { Decision, Stop, Task } from '../../../contract/event.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import { attemptData } from './event-data.ts'
import { remember } from './fold.ts'
import { emptyMemo, type RefinementMemo } from './memo.ts'
import {
  answerCrossing,
  answerLowScore,
  answerNoScore,
  answerOutage,
  capReason,
  giveUp,
  stopFor,
  type Terms,
  waitReason,
  whenTokensAreSpent,
} from './rules.ts'

type Seen = View<RefinementMemo>

/** Seeds 000 and 001: a task a phase, an attempt an iteration, a verdict a score. */
export const refinementPolicy = (terms: Terms, caps: Caps): Policy<RefinementMemo> => ({
  name: 'refinement',
  version: 2,
  caps,
  memo: emptyMemo,
  fold: remember(terms),
  pick: (view) => pick(terms, view),
  decide: (view) => (view.state.task?.kind === 'chore' ? decideChore(terms, view) : decidePhase(terms, view)),
  whenSpent: (cap, view) => whenSpent(terms, cap, view),
})

function pick(terms: Terms, view: Seen): Task | Stop {
  const { phases, phase, tried, singleShot, byPerson } = view.memo
  if (terms.empty) return stopFor('empty_task')
  if (!phases) return { id: 'decompose', kind: 'chore', via: terms.start }
  if (phase > phases.count) return stopFor(byPerson ? 'accepted_by_person' : 'threshold_met')
  const ending = endingSoFar(view)
  if (!ending) return { id: `phase-${phase}`, kind: 'work', tried }
  const wanted = terms.rules.onFailure === 'single-shot' && singleShot === null
  return wanted ? { id: 'single-shot', kind: 'chore' } : ending
}

/** Decided, though something may still be tried before it. */
function endingSoFar({ state, memo }: Seen): Stop | undefined {
  const capped = state.attempts >= (state.caps.attemptsPerRun ?? Infinity)
  return memo.ending ?? (capped && !state.task ? stopFor('iteration_cap') : undefined)
}

/** Planning may fail: there are phases that always do. So may the last plain try. */
function decideChore(terms: Terms, view: Seen): Decision {
  const { outcome, verdict } = view.state
  if (outcome?.status === 'interrupted') return { do: 'retry' }
  if (outcome?.status === 'unavailable' && !crossing(view)) {
    const answer = answerOutage(terms, view, outcome.retryAt)
    return answer.do === 'stop' ? { do: 'settle', as: 'failed' } : answer
  }
  return { do: 'settle', as: verdict?.status === 'passed' ? 'done' : 'failed' }
}

function decidePhase(terms: Terms, view: Seen): Decision {
  const { state, memo } = view
  const { outcome, verdict } = state
  if (outcome?.status === 'interrupted') return { do: 'retry' }
  if (outcome?.status === 'unavailable') {
    return crossing(view) ? answerCrossing(terms, view) : answerOutage(terms, view, outcome.retryAt)
  }
  if (verdict?.status === 'unavailable') return answerNoScore(terms, view)
  if (verdict?.status !== 'passed') return answerLowScore(terms, view)
  // What a person said while the last text was being written is still to be done.
  const isLast = memo.phase === memo.phases?.count && state.attempts < (state.caps.attemptsPerRun ?? Infinity)
  const unheard = isLast && memo.told < memo.heard
  return unheard ? { do: 'retry' } : { do: 'settle', as: 'done' }
}

const crossing = ({ state }: Seen): boolean => attemptData(state.outcome).crossing !== undefined

function whenSpent(terms: Terms, cap: CapName, view: Seen): Decision {
  const reason = cap === 'waitMs' ? waitReason(view) : capReason(cap)
  const { task } = view.state
  if (task?.kind !== 'work') return endingSoFar(view) ?? stopFor(reason)
  return cap === 'tokens' ? whenTokensAreSpent(terms, view) : giveUp(terms, view, reason)
}
