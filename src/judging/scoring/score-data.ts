import { z } from 'zod'

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
