import { z } from 'zod'
import type { JsonSchema } from '../../ports/model.ts'

// What a score consists of where it is recorded: ids and numbers. The words of judges and writers are content.

/** What a score calls for. */
export const Band = z.enum(['pass', 'retry', 'escalate'])
export type Band = z.infer<typeof Band>

/** An issue that the judge found. Its words are in the ledger. */
export const IssueMark = z
  .object({
    id: z.string(),
    state: z.enum(['open', 'fixed']),
    severity: z.enum(['major', 'minor']),
    /** How often it came back after it was fixed. */
    reopened: z.number(),
    /** Could have been said before and was not: it does not block by itself. */
    late: z.literal(true).optional(),
  })
  .readonly()
export type IssueMark = z.infer<typeof IssueMark>

/** How a judge is read: what it gives for texts of known worth, inverted. */
export const Calibration = z
  .object({
    id: z.string(),
    intercept: z.number(),
    slope: z.number(),
    /** How far off a single judgement is, as a standard deviation. */
    sigma: z.number(),
    anchors: z.number(),
  })
  .readonly()
export type Calibration = z.infer<typeof Calibration>

/** A score with everything that it follows from. */
export const Score = z
  .object({
    band: Band,
    /** As the judges gave it. */
    raw: z.number(),
    /** The standard error of the score. */
    spread: z.number(),
    confidence: z.number(),
    samples: z.number(),
    dimensions: z.record(z.string(), z.number()).readonly(),
    evaluator: z.string(),
    calibration: Calibration.nullable(),
    judge: z.string(),
    selfJudged: z.boolean(),
    vetoes: z.array(z.string()).readonly(),
    unverified: z.number(),
    issues: z.array(IssueMark).readonly(),
  })
  .readonly()
export type Score = z.infer<typeof Score>

/** What a mode decides about judging: how good is good enough, on which scale, and how sure the score must be. */
export type ScoringRules = {
  /** From here on a text passes. */
  readonly stopScore: number
  /** Below this a stronger model is wanted. */
  readonly escalateScore: number
  /** `point`: the score as it is. `interval`: the score and how sure it is. */
  readonly decidesBy: 'point' | 'interval'
  /** `percent`: 0 to 100 for each dimension. `anchored`: 0 to 5 in halves, evidence first. */
  readonly scale: 'percent' | 'anchored'
  /** Judgements of one text at most. */
  readonly samples: number
}
export type Scale = ScoringRules['scale']

/** Four times in five the true worth lies within that many standard errors of the score. */
export const within80 = 1.28

/** A question to the judge, and the answer that it asks for; code reads what comes. */
export type JudgeQuestion = { readonly system: string; readonly prompt: string; readonly schema: JsonSchema }

/** Makes one call and tells what came of it. `key` names the call within its attempt; one that is recorded is not made again. */
export type AskJudge = (
  question: JudgeQuestion,
  key: string,
  role: 'judge' | 'calibrate',
) => Promise<
  { readonly status: 'ok'; readonly text: string } | { readonly status: 'down' | 'budget'; readonly detail: string }
>

/** An issue with its words. */
export type Issue = IssueMark & { readonly quote: string; readonly problem: string; readonly raisedIn: number }

export type Scored =
  | (Omit<Score, 'issues'> & {
      readonly status: 'scored'
      readonly score: number
      /** All issues of the phase, open and fixed. */
      readonly issues: readonly Issue[]
    })
  | { readonly status: 'unavailable'; readonly why: 'down' | 'unreadable' | 'budget'; readonly detail: string }
