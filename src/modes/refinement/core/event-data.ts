import { z } from 'zod'
import type { Call, Outcome, Verdict } from '../../../contract/event.ts'
import { Json, Ref } from '../../../contract/values.ts'
import { Score } from '../../../judging/scoring/score-data.ts'

// What the events of a refinement carry as `data`: ids, numbers and Refs. What people and models wrote is content.

export const roles = ['decompose', 'generate', 'judge', 'calibrate', 'single-shot'] as const
export type Role = (typeof roles)[number]

/** Of a call. `bytes` is what left for the provider; `remote`: it left this machine. */
const CallData = z
  .object({
    role: z.enum(roles),
    remote: z.boolean(),
    bytes: z.number(),
    fault: z.string().optional(),
    cut: z.literal(true).optional(),
    /** Of a judgement that measures the judge: what it gave. */
    raw: z.number().optional(),
  })
  .readonly()
export type CallData = z.infer<typeof CallData>

/** Of the chore that finds the phases. */
const PhasesData = z
  .object({ phases: z.number(), source: z.enum(['model', 'fallback']), why: z.string().optional() })
  .readonly()
export type PhasesData = z.infer<typeof PhasesData>

/** Of an attempt at a phase. `iteration` counts over all phases. */
const AttemptData = z
  .object({
    iteration: z.number(),
    prunedTokens: z.number(),
    /** How many words of people it was told. */
    feedback: z.number(),
    /** Tells a text that was there before, without telling the text. */
    mark: z.string().optional(),
    fault: z.string().optional(),
    /** It was not made: it would have gone past a bound, the one that calls for a stronger model or the last one. */
    crossing: z.enum(['soft', 'hard']).optional(),
    needsTokens: z.number().optional(),
    cut: z.literal(true).optional(),
  })
  .readonly()
export type AttemptData = z.infer<typeof AttemptData>

/** Of a verdict that was reached. */
const ScoreData = z
  .object({
    ...Score.unwrap().shape,
    /** Texts of the issues. */
    ledger: Ref.nullable(),
    /** It is the best of its phase so far. */
    better: z.boolean(),
  })
  .readonly()
export type ScoreData = z.infer<typeof ScoreData>

/** Of a verdict that was not: a judge that cannot be reached, or that answers what nobody can read. */
const NoScoreData = z.object({ why: z.enum(['down', 'unreadable', 'budget', 'no-text']), judge: z.string() }).readonly()
export type NoScoreData = z.infer<typeof NoScoreData>

/** What the door holds events to. Data may be absent: chores have none, and neither has what the kernel itself ends. */
export const eventData = {
  task: Json.optional(),
  call: CallData.optional(),
  outcome: z.union([PhasesData, AttemptData], 'neither phases nor an attempt at one').optional(),
  verdict: z.union([ScoreData, NoScoreData], 'neither a score nor why there is none').optional(),
  terms: Json,
} as const

// Typed access. Every event has passed the door, so a key that is there holds what its schema says.

export const callData = ({ data }: Pick<Call, 'data'>): CallData | undefined => data as CallData | undefined

const outcomeData = (outcome: Pick<Outcome, 'data'> | undefined) =>
  outcome?.data as PhasesData | AttemptData | undefined

/** undefined: these are not the phases. */
export function phasesData(outcome: Pick<Outcome, 'data'> | undefined): PhasesData | undefined {
  const data = outcomeData(outcome)
  return data && 'phases' in data ? data : undefined
}

/** What came of an attempt, as far as it says. */
export function attemptData(outcome: Pick<Outcome, 'data'> | undefined): Partial<AttemptData> {
  const data = outcomeData(outcome)
  return data && !('phases' in data) ? data : {}
}

const verdictData = (verdict: Pick<Verdict, 'data'> | undefined) => verdict?.data as ScoreData | NoScoreData | undefined

/** A score and what stands behind it. undefined: there is none. */
export function scoreData(verdict: Pick<Verdict, 'score' | 'data'> | undefined): Scored | undefined {
  const data = verdictData(verdict)
  return data && 'band' in data && verdict?.score !== undefined ? { ...data, score: verdict.score } : undefined
}
export type Scored = ScoreData & { readonly score: number }

/** Why there is no score, as far as it says. */
export function noScoreData(verdict: Pick<Verdict, 'data'> | undefined): Partial<NoScoreData> {
  const data = verdictData(verdict)
  return data && 'why' in data ? data : {}
}
