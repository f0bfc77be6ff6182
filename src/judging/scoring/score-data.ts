import { z } from 'zod'
import type { JsonSchema } from '../../ports/model.ts'

// Recorded parts of a score: ids and numbers. Texts of judges and writers are stored as content.

/** The action that a score calls for. */
export const Band = z.enum(['pass', 'retry', 'escalate'])
export type Band = z.infer<typeof Band>

/** An issue found by the judge, without its texts. */
export const IssueMark = z
  .object({
    id: z.string(),
    state: z.enum(['open', 'fixed']),
    severity: z.enum(['major', 'minor']),
    /** How often it came back after it was fixed. */
    reopened: z.number(),
    /** About text that was already there and found only now: it does not block by itself. */
    late: z.literal(true).optional(),
  })
  .readonly()
export type IssueMark = z.infer<typeof IssueMark>

/** A line that corrects a judge's scores, fitted on texts of known quality. */
export const Calibration = z
  .object({
    id: z.string(),
    intercept: z.number(),
    slope: z.number(),
    /** Standard deviation of a single judgement. */
    sigma: z.number(),
    anchors: z.number(),
  })
  .readonly()
export type Calibration = z.infer<typeof Calibration>

/** A score with everything it is based on. */
export const Score = z
  .object({
    band: Band,
    /** Before calibration. */
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

/** A mode's rules for judging: thresholds, scale, and how certain a score must be. */
export type ScoringRules = {
  /** A text passes from this score on. */
  readonly stopScore: number
  /** Below this score a stronger model is needed. */
  readonly escalateScore: number
  /** `point`: by the score alone. `interval`: by the score and its error. */
  readonly decidesBy: 'point' | 'interval'
  /** `percent`: 0 to 100 for each dimension. `anchored`: 0 to 5 in halves, evidence first. */
  readonly scale: 'percent' | 'anchored'
  /** Maximum number of judgements of one text. */
  readonly samples: number
}
export type Scale = ScoringRules['scale']

/** The 80 % confidence interval, in standard errors. */
export const within80 = 1.28

/** A prompt for the judge, and the schema of the answer. The reply is parsed in any case. */
export type JudgeQuestion = { readonly system: string; readonly prompt: string; readonly schema: JsonSchema }

/** Makes one call. `key` identifies the call within its attempt; a recorded call is not repeated. */
export type AskJudge = (
  question: JudgeQuestion,
  key: string,
  role: 'judge' | 'calibrate',
) => Promise<
  { readonly status: 'ok'; readonly text: string } | { readonly status: 'down' | 'budget'; readonly detail: string }
>

/** An issue with its texts. */
export type Issue = IssueMark & { readonly quote: string; readonly problem: string; readonly raisedIn: number }

export type Scored =
  | (Omit<Score, 'issues'> & {
      readonly status: 'scored'
      readonly score: number
      /** All issues of the phase, open and fixed. */
      readonly issues: readonly Issue[]
    })
  | { readonly status: 'unavailable'; readonly why: 'down' | 'unreadable' | 'budget'; readonly detail: string }
