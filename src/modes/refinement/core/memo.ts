import type { Stop } from '../../../contract/event.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Band, Calibration, IssueMark } from '../../../judging/scoring/score-data.ts'
import type { View } from '../../../kernel/policy.ts'

/** One iteration as it came out, for whoever tells of the run. */
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

/** What a refinement remembers. Of one phase at a time, but for what each phase came to. */
export type RefinementMemo = {
  /** When the last event was: rules have no clock of their own. */
  readonly at: number
  readonly phases: { readonly count: number; readonly titles: Ref | null } | null
  /** The open phase, from 1. */
  readonly phase: number
  /** Attempts made at it before it was given up. */
  readonly tried: number
  /** What each phase came to. */
  readonly accepted: readonly Ref[]
  readonly best: { readonly output: Ref; readonly score: number; readonly iteration: number } | null
  /** With this model, newest last. */
  readonly scores: readonly { readonly score: number; readonly spread: number }[]
  readonly marks: readonly string[]
  /** The last text was there before. */
  readonly cycle: boolean
  readonly issues: readonly IssueMark[]
  readonly ledger: Ref | null
  /** Issues that a person was asked about. */
  readonly asked: readonly string[]
  readonly feedback: readonly Ref[]
  /** How often people had a say, how often they had when the attempt was begun, and how much of that the last text knew of. */
  readonly heard: number
  readonly known: number
  readonly told: number
  /** Calls in a row that each rung left unanswered. */
  readonly down: Readonly<Record<string, number>>
  /** What the last call failed in, by its name. */
  readonly fault: string | null
  /** Which of the judges is asked, and how often in a row it could not be. */
  readonly judge: number
  readonly judgeTries: number
  readonly calibrations: Readonly<Record<string, Calibration>>
  /** A person took a text that the judge did not. */
  readonly byPerson: boolean
  /** The run ends so, once the last thing that is to be tried has been. */
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

/** The best of the open phase, else what the phase before came to. */
export const bestOutput = ({ best, accepted }: RefinementMemo): Ref | null => best?.output ?? accepted.at(-1) ?? null

/** What the run has to show now. A text that nobody could judge is better than none. */
export const shownOutput = ({ state, memo }: View<RefinementMemo>): Ref | null =>
  bestOutput(memo) ?? (state.task?.kind === 'work' ? state.outcome?.output : undefined) ?? null
