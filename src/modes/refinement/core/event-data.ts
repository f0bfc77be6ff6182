import { z } from 'zod'
import type { Call, Outcome, Verdict } from '../../../contract/event.ts'
import { Json, Ref } from '../../../contract/values.ts'
import { Score } from '../../../judging/scoring/score-data.ts'

// The `data` of a refinement's events: ids, numbers and Refs, never the texts of people and models.

export const roles = ['decompose', 'generate', 'judge', 'calibrate', 'single-shot'] as const
export type Role = (typeof roles)[number]

/** Data of a call. `bytes` were sent to the provider; `remote`: to another machine. */
const CallData = z
  .object({
    role: z.enum(roles),
    remote: z.boolean(),
    bytes: z.number(),
    fault: z.string().optional(),
    cut: z.literal(true).optional(),
    /** The score in a calibration call. */
    raw: z.number().optional(),
  })
  .readonly()
export type CallData = z.infer<typeof CallData>

/** Data of the chore that plans the phases. */
const PhasesData = z
  .object({ phases: z.number(), source: z.enum(['model', 'fallback']), why: z.string().optional() })
  .readonly()
export type PhasesData = z.infer<typeof PhasesData>

/** Data of an attempt at a phase. `iteration` counts over all phases. */
const AttemptData = z
  .object({
    iteration: z.number(),
    prunedTokens: z.number(),
    /** Number of feedback texts in its prompt. */
    feedback: z.number(),
    /** Hash of the text, to recognize a repetition. */
    mark: z.string().optional(),
    fault: z.string().optional(),
    /** Set if the call was not made: it would have exceeded the limit for a stronger model (soft) or a bound (hard). */
    crossing: z.enum(['soft', 'hard']).optional(),
    needsTokens: z.number().optional(),
    cut: z.literal(true).optional(),
  })
  .readonly()
export type AttemptData = z.infer<typeof AttemptData>

/** Data of a verdict with a score. */
const ScoreData = z
  .object({
    ...Score.unwrap().shape,
    /** Texts of the issues. */
    ledger: Ref.nullable(),
    /** True for the best text of its phase so far. */
    better: z.boolean(),
  })
  .readonly()
export type ScoreData = z.infer<typeof ScoreData>

/** Data of a verdict without a score. */
const NoScoreData = z.object({ why: z.enum(['down', 'unreadable', 'budget', 'no-text']), judge: z.string() }).readonly()
export type NoScoreData = z.infer<typeof NoScoreData>

/** Schemas that every event is checked with. Chores and attempts ended by the kernel may have no data. */
export const eventData = {
  task: Json.optional(),
  call: CallData.optional(),
  outcome: z.union([PhasesData, AttemptData], 'neither phases nor an attempt').optional(),
  verdict: z.union([ScoreData, NoScoreData], 'neither a score nor a reason for its absence').optional(),
  terms: Json,
} as const

// Typed access. Every event has been checked with these schemas.

export const callData = ({ data }: Pick<Call, 'data'>): CallData | undefined => data as CallData | undefined

const outcomeData = (outcome: Pick<Outcome, 'data'> | undefined) =>
  outcome?.data as PhasesData | AttemptData | undefined

/** Undefined unless the outcome is that of planning. */
export function phasesData(outcome: Pick<Outcome, 'data'> | undefined): PhasesData | undefined {
  const data = outcomeData(outcome)
  return data && 'phases' in data ? data : undefined
}

/** Empty if the attempt has no data. */
export function attemptData(outcome: Pick<Outcome, 'data'> | undefined): Partial<AttemptData> {
  const data = outcomeData(outcome)
  return data && !('phases' in data) ? data : {}
}

const verdictData = (verdict: Pick<Verdict, 'data'> | undefined) => verdict?.data as ScoreData | NoScoreData | undefined

/** Undefined if the verdict has no score. */
export function scoreData(verdict: Pick<Verdict, 'score' | 'data'> | undefined): Scored | undefined {
  const data = verdictData(verdict)
  return data && 'band' in data && verdict?.score !== undefined ? { ...data, score: verdict.score } : undefined
}
export type Scored = ScoreData & { readonly score: number }

/** Empty if the verdict has a score or no data. */
export function noScoreData(verdict: Pick<Verdict, 'data'> | undefined): Partial<NoScoreData> {
  const data = verdictData(verdict)
  return data && 'why' in data ? data : {}
}
