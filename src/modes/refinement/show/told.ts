import type { LoopEvent, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../run/read-run.ts'
import { duration, moment } from '../../../show/format.ts'
import { recordOf } from '../../../show/report/told.ts'
import { sayReason } from '../../../show/words.ts'
import { oneLine } from '../../../surfaces/terminal/plain-text.ts'
import type { AttemptTold, ScoreTold } from '../contract/told.ts'
import { refinementReasons } from '../core/reasons.ts'
import type { RefineSubject } from './subject.ts'

export type Refined = { readonly name: string; readonly refine: RefineSubject }
export type Decided = Extract<LoopEvent, { type: 'decision-made' }>
export type Ended = Extract<LoopEvent, { type: 'run-ended' }>

/** `phase-2` and what it is called. */
export function phaseOf(task: string | null, { phaseTitles }: RefineSubject): { number: number; title: string } {
  const number = Number(/(\d+)$/.exec(task ?? '')?.[1] ?? 1)
  return { number, title: short(phaseTitles()[number - 1] ?? `Phase ${number}`) }
}

export const labelOf = (via: string, { rungs }: RefineSubject): string => short(rungs.get(via)?.label ?? via)

/** What came of an attempt, as far as it says. */
export const attemptTold = (outcome: Outcome | undefined): Partial<AttemptTold> => recordOf(outcome?.data)

/** Which iteration the last attempt was; before the first, the first. */
export const iterationOf = ({ outcome, attempts }: LoopState): number =>
  attemptTold(outcome).iteration ?? Math.max(1, attempts)

/** Where a score stands behind it. */
export function scoreTold(verdict: Verdict | undefined): (ScoreTold & { readonly score: number }) | undefined {
  if (!verdict || verdict.score === undefined) return undefined
  const { band, issues, vetoes } = recordOf(verdict.data)
  if (band === undefined || !Array.isArray(issues) || !Array.isArray(vetoes)) return undefined
  return { ...(verdict.data as unknown as ScoreTold), score: verdict.score }
}

/** Words of people that the attempts before it did not have. */
export function hasNewFeedback(outcome: Outcome, { heard }: RefineSubject): boolean {
  const { feedback = 0 } = attemptTold(outcome)
  if (outcome.status !== 'ok') return false
  const isNew = feedback > heard.feedback
  heard.feedback = feedback
  return isNew
}

type Decision<Kind> = Extract<Decided['decision'], { do: Kind }>

/** Nobody reads of a wait that is over before it is read. */
export function waitLines({ until, reason }: Decision<'wait'>, at: number): string[] {
  const ms = Math.max(0, until - at)
  if (ms < 500) return []
  const length = ms < 60_000 ? duration(ms) : `until ${moment(until)} UTC`
  return [`Waiting ${length} (${short(reason)}); skip with: pawl resume --now`]
}

export const pauseLine = ({ question: { topic } }: Decision<'pause'>): string =>
  `${topic === 'paused' ? 'Paused' : `It asks: ${short(sayReason(refinementReasons, topic), 200)}`}; go on with: pawl answer`

export const short = (text: string, longest = 80): string => {
  const line = oneLine(text)
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line
}
