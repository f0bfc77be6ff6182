import type { Call, Decision, LoopEvent, Note, Outcome, Stop, Task, Verdict } from '../../../contract/event.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { attemptData, callData, noScoreData, phasesData, scoreData } from './event-data.ts'
import { bestOutput, emptyMemo, type Iteration, nextPhase, type RefinementMemo } from './memo.ts'
import {
  asksAllAgain,
  capReason,
  decideEnding,
  decideOnCrossing,
  decideOnLowScore,
  decideOnNoScore,
  decideOnOutage,
  decideOnSpentTokens,
  decideOnSuccess,
  giveUp,
  stopFor,
  type Terms,
  waitReason,
} from './rules.ts'

type MemoView = View<RefinementMemo>

/** A phase is a task, an iteration is an attempt, a score is a verdict (seeds 000 and 001). */
export const refinementPolicy = (terms: Terms, caps: Caps): Policy<RefinementMemo> => ({
  name: 'refinement',
  version: 3,
  caps,
  memo: emptyMemo,
  fold: foldMemo(terms),
  pick: (view) => pick(terms, view),
  decide: (view) => (view.state.task?.kind === 'chore' ? decideChore(terms, view) : decidePhase(terms, view)),
  whenSpent: (cap, view) => whenSpent(terms, cap, view),
})

function pick(terms: Terms, view: MemoView): Task | Stop {
  const { phases, phase, tried, singleShot } = view.memo
  if (terms.empty) return stopFor('empty_task')
  if (!phases) return { id: 'decompose', kind: 'chore', via: terms.start }
  if (phase > phases.count) return decideOnSuccess(terms, view)
  const ending = findEnding(view)
  if (!ending) return { id: `phase-${phase}`, kind: 'work', tried }
  const wanted = terms.rules.onFailure === 'single-shot' && singleShot === null
  return wanted ? { id: 'single-shot', kind: 'chore' } : ending
}

/** The ending that is already certain. A single-shot attempt may still precede it. */
function findEnding({ state, memo }: MemoView): Stop | undefined {
  const capped = state.attempts >= (state.caps.attemptsPerRun ?? Infinity)
  return memo.ending ?? (capped && !state.task ? stopFor('iteration_cap') : undefined)
}

/** If planning fails, the default phases are used. If the single-shot attempt fails, the run ends as it would have. */
function decideChore(terms: Terms, view: MemoView): Decision {
  const { outcome, verdict } = view.state
  if (outcome?.status === 'interrupted') return { do: 'retry' }
  if (outcome?.status === 'unavailable' && !crossing(view)) {
    const answer = decideOnOutage(terms, view, outcome.retryAt)
    return answer.do === 'stop' ? { do: 'settle', as: 'failed' } : answer
  }
  return { do: 'settle', as: verdict?.status === 'passed' ? 'done' : 'failed' }
}

function decidePhase(terms: Terms, view: MemoView): Decision {
  const { state, memo } = view
  const { outcome, verdict } = state
  if (outcome?.status === 'interrupted') return { do: 'retry' }
  if (outcome?.status === 'unavailable') {
    return crossing(view) ? decideOnCrossing(terms, view) : decideOnOutage(terms, view, outcome.retryAt)
  }
  if (verdict?.status === 'unavailable') return decideOnNoScore(terms, view)
  if (verdict?.status !== 'passed') return decideOnLowScore(terms, view)
  // Feedback that arrived while the last text was written still has to be used.
  const isLast = memo.phase === memo.phases?.count && state.attempts < (state.caps.attemptsPerRun ?? Infinity)
  const unheard = isLast && memo.told < memo.heard
  return unheard ? { do: 'retry' } : { do: 'settle', as: 'done' }
}

const crossing = ({ state }: MemoView): boolean => attemptData(state.outcome).crossing !== undefined

function whenSpent(terms: Terms, cap: CapName, view: MemoView): Decision {
  const reason = cap === 'waitMs' ? waitReason(view) : capReason(cap)
  const { task } = view.state
  if (task?.kind !== 'work') return findEnding(view) ?? stopFor(reason)
  return cap === 'tokens' ? decideOnSpentTokens(terms, view) : giveUp(terms, view, reason)
}

/** Returns the memo after one more event. */
const foldMemo =
  (terms: Terms) =>
  (before: RefinementMemo, event: LoopEvent, state: LoopState): RefinementMemo => {
    const memo = { ...before, at: event.at }
    switch (event.type) {
      case 'run-reopened':
        return { ...memo, ending: null, singleShot: null, down: {}, judge: 0, judgeTries: 0, scores: [], cycle: false }
      case 'attempt-started':
        return { ...memo, known: memo.heard }
      case 'attempt-ended':
        return attempted(memo, event.outcome, state)
      case 'verdict-reached':
        return event.chore ? memo : judged(memo, event.verdict, state)
      case 'decision-made':
        return decided(memo, event, state, terms)
      case 'note-received':
        return noted(memo, event.note, state)
      case 'call-ended':
        return called(memo, event.call)
      case 'run-started':
      case 'run-resumed':
      case 'run-interrupted':
      case 'run-ended':
      case 'task-picked':
      case 'wait-ended':
        return memo
    }
  }

function attempted(before: RefinementMemo, outcome: Outcome, { task, via }: LoopState): RefinementMemo {
  const { fault = null, mark, feedback, crossing } = attemptData(outcome)
  if (crossing) return before
  // A single-shot answer does not undo what led to it.
  const solved = outcome.status === 'ok' && task?.id !== 'single-shot'
  const memo = { ...before, problem: solved ? null : (outcome.detail ?? before.problem) }
  if (outcome.status === 'unavailable')
    return { ...memo, fault, down: { ...memo.down, [via]: (memo.down[via] ?? 0) + 1 } }
  const answered = outcome.status === 'interrupted' ? memo : { ...memo, fault, down: {} }
  if (task?.id === 'decompose') return outcome.status === 'ok' ? { ...answered, phases: readPhases(outcome) } : answered
  if (task?.id === 'single-shot') {
    return { ...answered, singleShot: (outcome.status === 'ok' && outcome.output) || 'failed' }
  }
  if (outcome.status !== 'ok' || !mark) return answered
  const marks = [...memo.marks, mark].slice(-maxMarks)
  return { ...answered, told: feedback ?? memo.told, cycle: memo.marks.includes(mark), marks }
}

const maxMarks = 12
const maxScores = 4
const maxIterations = 60
const maxFeedback = 20

/** Default: three phases. */
const readPhases = (outcome: Outcome): RefinementMemo['phases'] => ({
  count: phasesData(outcome)?.phases ?? 3,
  titles: outcome.output ?? null,
})

function judged(memo: RefinementMemo, verdict: Verdict, state: LoopState): RefinementMemo {
  if (verdict.status === 'unavailable') return unjudged(memo, verdict)
  const output = state.outcome?.output ?? null
  const scored = scoreData(verdict)
  const iteration: Iteration = {
    iteration: state.attempts,
    phase: memo.phase,
    via: state.via,
    score: verdict.score ?? null,
    raw: scored?.raw ?? null,
    spread: scored?.spread ?? null,
    band: scored?.band ?? null,
    output,
  }
  const seen = { ...memo, judgeTries: 0, iterations: [...memo.iterations, iteration].slice(-maxIterations) }
  if (!scored) return seen
  const { score, spread, better, issues, ledger, calibration, judge } = scored
  return {
    ...seen,
    problem: null,
    scores: [...memo.scores, { score, spread }].slice(-maxScores),
    best: better && output ? { output, score, iteration: state.attempts } : memo.best,
    issues,
    ledger,
    calibrations: calibration ? { ...memo.calibrations, [judge]: calibration } : memo.calibrations,
  }
}

/** A judge that answers one of the dozen calibration calls is not down. */
function called(memo: RefinementMemo, call: Call): RefinementMemo {
  const role = callData(call)?.role
  return call.status === 'ok' && (role === 'judge' || role === 'calibrate') ? { ...memo, judgeTries: 0 } : memo
}

/** Moves on to the next judge after an unparsable answer, or after two retries of a judge that is down. */
function unjudged(memo: RefinementMemo, verdict: Verdict): RefinementMemo {
  const { why } = noScoreData(verdict)
  const tries = memo.judgeTries + 1
  const problem = verdict.detail ?? memo.problem
  return why === 'unreadable' || tries > 2
    ? { ...memo, problem, judge: memo.judge + 1, judgeTries: 0 }
    : { ...memo, problem, judgeTries: tries }
}

function decided(
  memo: RefinementMemo,
  { decision, by, chore }: Extract<LoopEvent, { type: 'decision-made' }>,
  state: LoopState,
  terms: Terms,
): RefinementMemo {
  if (decision.do === 'escalate') return { ...memo, scores: [], cycle: false }
  if (decision.do === 'wait' && asksAllAgain(decision.reason)) return { ...memo, down: {}, judge: 0, judgeTries: 0 }
  if (decision.do === 'pause' && decision.question.topic.code === 'contested') {
    return { ...memo, asked: memo.issues.filter(({ reopened }) => reopened >= 2).map(({ id }) => id) }
  }
  if (decision.do !== 'settle' || decision.as === 'interrupted') return memo
  if (chore)
    return state.task?.id === 'decompose' && !memo.phases ? { ...memo, phases: { count: 3, titles: null } } : memo
  const output = bestOutput(memo)
  const byPerson = memo.byPerson || state.answer?.choice === 'accept'
  if (decision.as === 'done' && output) return { ...nextPhase(memo, output), byPerson }
  return { ...memo, tried: state.attempt, ending: decideEnding(terms, { state, memo }, by) }
}

function noted(memo: RefinementMemo, note: Note, state: LoopState): RefinementMemo {
  if ((note.say !== 'answer' && note.say !== 'feedback') || !note.text) return memo
  const heard = { ...memo, heard: memo.heard + 1, feedback: [...memo.feedback, note.text].slice(-maxFeedback) }
  return areAllPhasesDone(memo) && !state.stop ? reopenLastPhase(heard, state) : heard
}

const areAllPhasesDone = ({ phases, phase }: RefinementMemo): boolean => phases !== null && phase > phases.count

/** Reopens the last phase for feedback that arrived after it was done. Its result becomes the text to improve. */
function reopenLastPhase(memo: RefinementMemo, { attempt, attempts }: LoopState): RefinementMemo {
  const output = bestOutput(memo)
  if (!output) return memo
  const from = memo.iterations.findLast((iteration) => iteration.output?.path === output.path)
  const best = { output, score: from?.score ?? 0, iteration: from?.iteration ?? attempts }
  return { ...memo, phase: memo.phase - 1, tried: attempt, accepted: memo.accepted.slice(0, -1), best }
}
