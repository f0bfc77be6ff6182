import { z } from 'zod'
import { Rung } from '../../../contract/models.ts'
import { Ref } from '../../../contract/values.ts'
import { RefineConfig } from './config.ts'

const ids = z.array(z.string()).readonly()

/** The request of a refinement. Texts written by people are stored beside the journal, encrypted. */
export const RefinementRequest = z
  .object({
    rules: RefineConfig,
    /** Weakest first. */
    ladder: z.array(Rung).readonly(),
    start: z.string(),
    /** Rungs to escalate to, first choice first. */
    escalateTo: ids,
    /** Rungs that replace an unavailable provider, first choice first. */
    failover: ids,
    judges: ids,
    localOnly: z.boolean(),
    /** Set if the task is empty: the run ends at once. */
    empty: z.literal(true).optional(),
    /** A Brief, as JSON. */
    brief: Ref,
    /** A Rubric, as JSON. */
    rubric: Ref,
    taskId: z.string(),
    correlationId: z.string(),
    branch: z.string().nullable(),
    /** The run that this one was forked from, and the last event it took over. */
    parent: z.object({ run: z.string(), seq: z.number() }).readonly().optional(),
  })
  .readonly()
export type RefinementRequest = z.infer<typeof RefinementRequest>

/** The refined file as it was at the start. `path` is its real path, `shown` the name as typed. */
export const RefinedFile = z
  .object({
    path: z.string(),
    shown: z.string(),
    /** Set if `shown` is a symlink. */
    link: z.literal(true).optional(),
    sha256: z.string(),
    mode: z.number(),
  })
  .readonly()
export type RefinedFile = z.infer<typeof RefinedFile>

/** The task in people's words, and where the result goes. Stored encrypted. */
export const Brief = z
  .object({
    task: z.string(),
    goal: z.string().optional(),
    /** The text to improve, if there is one. */
    text: z.string().optional(),
    context: z.array(z.object({ name: z.string(), text: z.string() }).readonly()).readonly(),
    file: RefinedFile.optional(),
    out: z.string().optional(),
    write: z.boolean().optional(),
  })
  .readonly()
export type Brief = z.infer<typeof Brief>
