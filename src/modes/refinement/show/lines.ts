import type { LoopEvent, Outcome, Verdict } from '../../../contract/event.ts'
import type { Line } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { formatAmount, formatCount, formatDuration } from '../../../show/format.ts'
import { formatNote } from '../../../show/lines.ts'
import { attemptData, type NoScoreData, noScoreData, phasesData, scoreData } from '../core/event-data.ts'
import { formatEnding } from '../core/reasons.ts'
import { findLabel, findPhase, type RefinementAbout, type RunLabels, readLabels, short } from './run-labels.ts'
import { sapLines, sapWording } from './sap-lines.ts'
import { scoreLines } from './score-lines.ts'
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

/** Formats one event for people. Empty for events without news. */
export function refinementLines(step: RefinementStep, about: RefinementAbout): readonly Line[] {
  const { event, after } = step
  const subject = readLabels(about, after.memo.phases?.titles)
  const wording = sapWording(subject.rules.preset)
  const said =
    formatPhases(event, subject) ?? (wording ? sapLines(step, subject, wording) : defaultLines(step, subject))
  return [...said.map((line) => (typeof line === 'string' ? [line] : line)), ...formatNote(event)]
}

/** The result of planning reads the same in every preset. */
function formatPhases(event: LoopEvent, { titles }: RunLabels): string[] | undefined {
  const found = event.type === 'attempt-ended' && event.chore ? phasesData(event.outcome) : undefined
  if (!found) return undefined
  const { phases, source, why } = found
  const names = titles.length > 0 ? `: ${titles.map((title) => short(title, 60)).join(', ')}` : ''
  if (source === 'model') return [`${formatCount(phases, 'phase')}${names}`]
  return [`Using the ${formatCount(phases, 'default phase')}${names}${why ? ` (${short(why)})` : ''}`]
}

function defaultLines(step: RefinementStep, subject: RunLabels): StepLines[] {
  const { event } = step
  const { state } = step.after
  const { name, rules } = subject
  switch (event.type) {
    case 'run-started':
      return [`Refining ${name}: ${bounds(subject)}`]
    case 'run-resumed':
    case 'run-reopened':
      return [`Resuming ${name} after ${formatCount(state.attempts, 'iteration')}`]
    case 'attempt-started': {
      const of = state.caps.attemptsPerRun ?? rules.iterations
      const { title } = findPhase(event.task, subject)
      return event.chore ? [] : [`${title}: iteration ${state.attempts + 1}/${of} by ${findLabel(event.via, subject)}`]
    }
    case 'attempt-ended':
      return attempted(event.outcome, step, subject)
    case 'verdict-reached':
      return event.chore ? [] : judged(event.task, event.verdict, subject)
    case 'decision-made':
      return decided(event, state, subject)
    case 'wait-ended':
      return event.skipped ? ['Wait skipped'] : []
    case 'run-ended':
      return [ended(event, step.after)]
    case 'task-picked':
    case 'call-ended':
    case 'run-interrupted':
    case 'note-received':
      return []
  }
}

function bounds({ rules, rubric }: RunLabels): string {
  const limits = `at most ${formatCount(rules.iterations, 'iteration')} and ${formatAmount(rules.tokens)} tokens`
  return `${limits}, target score ${rules.stopScore} of 100 (${short(rubric)})`
}

function attempted(outcome: Outcome, step: RefinementStep, subject: RunLabels): string[] {
  const { state } = step.after
  const { crossing, prunedTokens = 0, cut } = attemptData(outcome)
  const iteration = currentIteration(state)
  if (crossing === 'soft')
    return [`Iteration ${iteration} not started: it would exceed ${formatAmount(subject.rules.escalateTokens)} tokens`]
  if (crossing === 'hard')
    return [`Iteration ${iteration} not started: ${short(outcome.detail ?? 'it does not fit', 200)}`]
  if (outcome.status === 'interrupted') return []
  const detail = short(outcome.detail ?? 'no detail', 200)
  if (outcome.status === 'unavailable') return [`${findLabel(state.via, subject)} is not available: ${detail}`]
  if (outcome.status !== 'ok')
    return [`${findLabel(state.via, subject)} returned no text (${outcome.status}): ${detail}`]
  return [
    ...(hasNewFeedback(outcome, step) ? [`Iteration ${iteration}: refined with human input`] : []),
    ...(prunedTokens > 0 ? [`${formatAmount(prunedTokens)} tokens of earlier text were left out of the prompt`] : []),
    ...(cut ? ['The text was cut off at the output limit'] : []),
  ]
}

function judged(task: string | null, verdict: Verdict, subject: RunLabels): string[] {
  const scored = scoreData(verdict)
  if (scored) return scoreLines(findPhase(task, subject).title, scored, subject)
  const { why, judge = '' } = noScoreData(verdict)
  const who = judge ? `the judge ${findLabel(judge, subject)}` : 'the judge'
  const more = why === 'unreadable' && verdict.detail ? ` (${short(verdict.detail, 200)})` : ''
  return [`No score: ${why ? noScore[why](who) + more : short(verdict.detail ?? 'no detail', 200)}`]
}

const noScore: Readonly<Record<NoScoreData['why'], (judge: string) => string>> = {
  down: (judge) => `${judge} cannot be reached`,
  unreadable: (judge) => `the answer of ${judge} could not be parsed`,
  budget: () => 'judging does not fit the remaining budget',
  'no-text': () => 'there is no text to judge',
}

function decided({ decision, task, chore, at }: Decided, state: LoopState, subject: RunLabels): StepLines[] {
  const { title } = findPhase(task, subject)
  const { rules } = subject
  switch (decision.do) {
    case 'settle':
      if (chore || decision.as === 'interrupted') return []
      return [
        `${title} ${decision.as} after ${formatCount(state.burned, 'iteration')}, ${formatDuration(state.taskMs)}`,
      ]
    case 'retry':
      return state.verdict ? [`Retrying ${title} (${state.retries}/${rules.retries})`] : ['Retrying']
    case 'escalate':
      return [`Escalated to ${findLabel(decision.via, subject)} (${state.escalations}/${rules.escalations})`]
    case 'failover':
      return [`Switching to ${findLabel(decision.via, subject)}`]
    case 'wait':
      return waitLines(decision, at)
    case 'pause':
      return [pauseLine(decision)]
    case 'raise':
    case 'stop':
      return []
  }
}

function ended({ ending, reason }: Ended, { state, memo }: RefinementStep['after']): string {
  const spent = `${formatCount(state.attempts, 'iteration')}, ${formatAmount(state.tokens)} tokens, ${formatDuration(state.activeMs)}`
  const how = ending === 'completed' ? 'Refined' : `Ended as ${ending}`
  return `${how}: ${short(formatEnding(reason, memo), 400)} (${spent})`
}
