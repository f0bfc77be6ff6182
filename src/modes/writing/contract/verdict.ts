import { z } from 'zod'

/** The five questions of the seed, in its order. */
export const criteria = [
  'feedback_addressed',
  'consistent_with_history',
  'quality_maintained',
  'appropriate_in_scope',
  'consistent_with_upstream',
] as const
export type Criterion = (typeof criteria)[number]

const Rating = z.strictObject({ met: z.enum(['yes', 'partly', 'no']), why: z.string() })

/** A judge's reply. Its JSON schema is sent along, and the reply is still parsed strictly. */
export const JudgeReply = z.strictObject({
  /** First, so that the verdict follows from them. */
  criteria: z.strictObject({
    feedback_addressed: Rating,
    consistent_with_history: Rating,
    quality_maintained: Rating,
    appropriate_in_scope: Rating,
    consistent_with_upstream: Rating,
  } satisfies Record<Criterion, typeof Rating>),
  /** Issues of earlier attempts, by id. */
  earlier_issues: z.array(z.strictObject({ id: z.string(), state: z.enum(['fixed', 'open']) })),
  specific_issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  reasoning: z.string(),
  verdict: z.enum(['approved', 'needs_revision']),
})
export type JudgeReply = z.infer<typeof JudgeReply>

/** An issue that a judge raised. It keeps its id over all attempts of an iteration. */
export const Issue = z
  .object({ id: z.string(), text: z.string(), state: z.enum(['open', 'fixed']), raised: z.int() })
  .readonly()
export type Issue = z.infer<typeof Issue>

/** `attempt_N_judge_verdict.json`: the four fields of the seed, then ours. */
export const StoredVerdict = z
  .object({
    verdict: z.enum(['approved', 'needs_revision']),
    reasoning: z.string(),
    specific_issues: z.array(z.string()).readonly(),
    suggestions: z.array(z.string()).readonly(),
    criteria: z.record(z.string(), Rating).optional(),
    /** All issues so far. */
    ledger: z.array(Issue).readonly(),
    /** `structure`: code found a problem, and no judge was asked. `second`: the first judge contradicted itself. */
    by: z.enum(['judge', 'second', 'structure']),
  })
  .readonly()
export type StoredVerdict = z.infer<typeof StoredVerdict>
