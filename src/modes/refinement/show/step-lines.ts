import type { LoopEvent, Outcome } from '../../../contract/event.ts'
import type { Line } from '../../../contract/show.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { continuation } from '../../../show/lines.ts'
import { formatReason } from '../../../show/reasons.ts'
import type { Step } from '../../../show/show.ts'
import { attemptData } from '../core/event-data.ts'
import type { RefinementMemo } from '../core/memo.ts'
import { refinementReasons } from '../core/reasons.ts'
import { short } from './run-labels.ts'

export type RefinementStep = Step<RefinementMemo>
export type Decided = Extract<LoopEvent, { type: 'decision-made' }>
export type Ended = Extract<LoopEvent, { type: 'run-ended' }>
type Decision<Kind> = Extract<Decided['decision'], { do: Kind }>

/** Plain text, or a line with values. */
export type StepLines = string | Line

/** Number of the last iteration, 1 before the first. */
export const currentIteration = ({ outcome, attempts }: LoopState): number =>
  attemptData(outcome).iteration ?? Math.max(1, attempts)

/** True if this text is the first to use new feedback. */
export const hasNewFeedback = (outcome: Outcome, { before }: RefinementStep): boolean =>
  outcome.status === 'ok' && (attemptData(outcome).feedback ?? 0) > before.memo.told

/** Omits waits that are over before they can be read. */
export function waitLines({ until, reason }: Decision<'wait'>, at: number): Line[] {
  const ms = Math.max(0, until - at)
  if (ms < 500) return []
  const length: Line = ms < 60_000 ? [{ is: 'duration', ms }] : ['until ', { is: 'at', at: until }]
  const why = short(formatReason(refinementReasons, reason))
  const skip = { is: 'action', action: { do: 'resume', now: true } } as const
  return [['Waiting ', ...length, ` (${why}); skip with: `, skip]]
}

export function pauseLine({ question }: Decision<'pause'>): Line {
  const { topic } = question
  const asks = topic.code === 'paused' ? 'Paused' : `Question: ${short(formatReason(refinementReasons, topic), 200)}`
  return [`${asks}; continue with: `, { is: 'action', action: continuation(question) }]
}
