import type { Stop } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Band, Calibration, IssueMark } from '../../../judging/scoring/score-data.ts'
import type { View } from '../../../kernel/policy.ts'

/** The result of one iteration, for reports. */
export type Iteration = {
  readonly iteration: number
  readonly phase: number
  readonly via: string
  readonly score: number | null
  readonly raw: number | null
  readonly spread: number | null
  readonly band: Band | null
  readonly output: Ref | null
}

/** The memory of a refinement: details of the current phase, and the result of each earlier one. */
export type RefinementMemo = {
  /** Time of the last event: rules have no clock of their own. */
  readonly at: number
  readonly phases: { readonly count: number; readonly titles: Ref | null } | null
  /** The current phase, from 1. */
  readonly phase: number
  /** Attempts made at it before it was given up. */
  readonly tried: number
  /** The result of each finished phase. */
  readonly accepted: readonly Ref[]
  readonly best: { readonly output: Ref; readonly score: number; readonly iteration: number } | null
  /** Scores of the current model, newest last. */
  readonly scores: readonly { readonly score: number; readonly spread: number }[]
  readonly marks: readonly string[]
  /** True if the last text repeats an earlier one. */
  readonly cycle: boolean
  readonly issues: readonly IssueMark[]
  readonly ledger: Ref | null
  /** Issues that a person was asked about. */
  readonly asked: readonly string[]
  readonly feedback: readonly Ref[]
  /** Feedback texts received so far, received before the attempt began, and used for the last text. */
  readonly heard: number
  readonly known: number
  readonly told: number
  /** Unanswered calls in a row, by rung. */
  readonly down: Readonly<Record<string, number>>
  /** Error code of the last call. */
  readonly fault: string | null
  /** The problem of the last step, without any text of the document; null if the step succeeded. */
  readonly problem: string | null
  /** Index of the current judge, and its failures in a row. */
  readonly judge: number
  readonly judgeTries: number
  readonly calibrations: Readonly<Record<string, Calibration>>
  /** True if a person accepted a text that the judge did not. */
  readonly byPerson: boolean
  /** The ending after a last single-shot attempt. */
  readonly ending: Stop | null
  readonly singleShot: Ref | 'failed' | null
  readonly iterations: readonly Iteration[]
}

const newPhase = {
  tried: 0,
  best: null,
  scores: [],
  marks: [],
  cycle: false,
  issues: [],
  ledger: null,
  asked: [],
} as const satisfies Partial<RefinementMemo>

export const emptyMemo: RefinementMemo = {
  ...newPhase,
  at: 0,
  phases: null,
  phase: 1,
  accepted: [],
  feedback: [],
  heard: 0,
  known: 0,
  told: 0,
  down: {},
  fault: null,
  problem: null,
  judge: 0,
  judgeTries: 0,
  calibrations: {},
  byPerson: false,
  ending: null,
  singleShot: null,
  iterations: [],
}

export const nextPhase = (memo: RefinementMemo, output: Ref): RefinementMemo => ({
  ...memo,
  ...newPhase,
  phase: memo.phase + 1,
  accepted: [...memo.accepted, output],
})

/** Returns the best text of the current phase, else the result of the phase before. */
export const bestOutput = ({ best, accepted }: RefinementMemo): Ref | null => best?.output ?? accepted.at(-1) ?? null

/** Returns the text to show now. An unjudged text is better than none. */
export const shownOutput = ({ state, memo }: View<RefinementMemo>): Ref | null =>
  bestOutput(memo) ?? (state.task?.kind === 'work' ? state.outcome?.output : undefined) ?? null
