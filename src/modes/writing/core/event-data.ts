import { z } from 'zod'
import type { Call, Outcome, Verdict } from '../../../contract/event.ts'
import { Json } from '../../../contract/values.ts'

// The `data` of a writing run's events: ids, numbers and file names, never the texts of people and models.

export const roles = ['plan', 'write', 'judge', 'describe', 'analyze'] as const
export type Role = (typeof roles)[number]

const count = z.int().nonnegative()

/** Data of a call. `bytes` were sent to the provider; `remote`: to another machine; `file` is written by it. */
const CallData = z
  .object({
    role: z.enum(roles),
    remote: z.boolean(),
    bytes: z.number(),
    fault: z.string().optional(),
    cut: z.literal(true).optional(),
    file: z.string().optional(),
  })
  .readonly()
export type CallData = z.infer<typeof CallData>

/** Data of an attempt: what it wrote, what the description found, or what was saved. */
const OutcomeData = z
  .object({
    fault: z.string().optional(),
    /** Writing: numbers of files. */
    changed: count.optional(),
    added: count.optional(),
    removed: count.optional(),
    problems: count.optional(),
    /** Describing. */
    changes: count.optional(),
    flags: count.optional(),
    unexplained: count.optional(),
    fallback: z.literal(true).optional(),
    /** Saving. `files` are those of the level, `iterations` the length of its history. */
    commit: z.string().nullable().optional(),
    files: count.optional(),
    lines: count.optional(),
    iterations: count.optional(),
    culled: z
      .array(z.object({ level: z.string(), files: count }).readonly())
      .readonly()
      .optional(),
  })
  .readonly()
export type OutcomeData = z.infer<typeof OutcomeData>

const VerdictData = z
  .object({
    verdict: z.enum(['approved', 'needs_revision']).optional(),
    by: z.enum(['judge', 'second', 'structure']).optional(),
    issues: count.optional(),
    /** Why there is no verdict. */
    why: z.enum(['down', 'unreadable', 'budget']).optional(),
  })
  .readonly()
export type VerdictData = z.infer<typeof VerdictData>

export const eventData = {
  task: z.undefined(),
  call: CallData.optional(),
  outcome: OutcomeData.optional(),
  verdict: VerdictData.optional(),
  terms: Json,
}

export const callData = ({ data }: Pick<Call, 'data'>): CallData | undefined => data as CallData | undefined
export const outcomeData = (outcome: Outcome | undefined): OutcomeData =>
  (outcome?.data as OutcomeData | undefined) ?? {}
export const verdictData = (verdict: Verdict | undefined): VerdictData =>
  (verdict?.data as VerdictData | undefined) ?? {}
