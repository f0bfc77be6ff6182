import type { Call, LoopEvent, Note, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { attemptData, callData, noScoreData, phasesData, scoreData } from './event-data.ts'
import { bestOutput, type Iteration, nextPhase, type RefinementMemo } from './memo.ts'
import { endingOf, isForAll, type Terms } from './rules.ts'

/** Pure: what is remembered after one more event. */
export const remember =
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

function attempted(memo: RefinementMemo, outcome: Outcome, { task, via }: LoopState): RefinementMemo {
  const { fault = null, mark, feedback, crossing } = attemptData(outcome)
  if (crossing) return memo
  if (outcome.status === 'unavailable')
    return { ...memo, fault, down: { ...memo.down, [via]: (memo.down[via] ?? 0) + 1 } }
  const answered = outcome.status === 'interrupted' ? memo : { ...memo, fault, down: {} }
  if (task?.id === 'decompose') return outcome.status === 'ok' ? { ...answered, phases: phasesOf(outcome) } : answered
  if (task?.id === 'single-shot') {
    return { ...answered, singleShot: (outcome.status === 'ok' && outcome.output) || 'failed' }
  }
  if (outcome.status !== 'ok' || !mark) return answered
  const marks = [...memo.marks, mark].slice(-mostMarks)
  return { ...answered, told: feedback ?? memo.told, cycle: memo.marks.includes(mark), marks }
}

const mostMarks = 12
const mostScores = 4
const mostIterations = 60
const mostFeedback = 20

/** The usual three, where a plan does not say how many it has. */
const phasesOf = (outcome: Outcome): RefinementMemo['phases'] => ({
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
  const seen = { ...memo, judgeTries: 0, iterations: [...memo.iterations, iteration].slice(-mostIterations) }
  if (!scored) return seen
  const { score, spread, better, issues, ledger, calibration, judge } = scored
  return {
    ...seen,
    scores: [...memo.scores, { score, spread }].slice(-mostScores),
    best: better && output ? { output, score, iteration: state.attempts } : memo.best,
    issues,
    ledger,
    calibrations: calibration ? { ...memo.calibrations, [judge]: calibration } : memo.calibrations,
  }
}

/** Measuring a judge takes a dozen answers: one that gives some of them is not down. */
function called(memo: RefinementMemo, call: Call): RefinementMemo {
  const role = callData(call)?.role
  return call.status === 'ok' && (role === 'judge' || role === 'calibrate') ? { ...memo, judgeTries: 0 } : memo
}

/** A judge that nobody can read is not asked a third time; one that is down has two more tries. */
function unjudged(memo: RefinementMemo, verdict: Verdict): RefinementMemo {
  const { why } = noScoreData(verdict)
  const tries = memo.judgeTries + 1
  return why === 'unreadable' || tries > 2
    ? { ...memo, judge: memo.judge + 1, judgeTries: 0 }
    : { ...memo, judgeTries: tries }
}

function decided(
  memo: RefinementMemo,
  { decision, by, chore }: Extract<LoopEvent, { type: 'decision-made' }>,
  state: LoopState,
  terms: Terms,
): RefinementMemo {
  if (decision.do === 'escalate') return { ...memo, scores: [], cycle: false }
  if (decision.do === 'wait' && isForAll(decision.reason)) return { ...memo, down: {}, judge: 0, judgeTries: 0 }
  if (decision.do === 'pause' && decision.question.topic.code === 'contested') {
    return { ...memo, asked: memo.issues.filter(({ reopened }) => reopened >= 2).map(({ id }) => id) }
  }
  if (decision.do !== 'settle' || decision.as === 'interrupted') return memo
  if (chore)
    return state.task?.id === 'decompose' && !memo.phases ? { ...memo, phases: { count: 3, titles: null } } : memo
  const output = bestOutput(memo)
  const byPerson = memo.byPerson || state.answer?.choice === 'accept'
  if (decision.as === 'done' && output) return { ...nextPhase(memo, output), byPerson }
  return { ...memo, tried: state.attempt, ending: endingOf(terms, { state, memo }, by) }
}

function noted(memo: RefinementMemo, note: Note, state: LoopState): RefinementMemo {
  if ((note.say !== 'answer' && note.say !== 'feedback') || !note.text) return memo
  const told = { ...memo, heard: memo.heard + 1, feedback: [...memo.feedback, note.text].slice(-mostFeedback) }
  return isThrough(memo) && !state.stop ? lastPhaseAgain(told, state) : told
}

const isThrough = ({ phases, phase }: RefinementMemo): boolean => phases !== null && phase > phases.count

/** Somebody had a say when the last phase was done and the run not over yet: what it came to is what is made better. */
function lastPhaseAgain(memo: RefinementMemo, { attempt, attempts }: LoopState): RefinementMemo {
  const output = bestOutput(memo)
  if (!output) return memo
  const from = memo.iterations.findLast((iteration) => iteration.output?.path === output.path)
  const best = { output, score: from?.score ?? 0, iteration: from?.iteration ?? attempts }
  return { ...memo, phase: memo.phase - 1, tried: attempt, accepted: memo.accepted.slice(0, -1), best }
}
