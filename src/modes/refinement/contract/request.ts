import { z } from 'zod'
import { Rung } from '../../../contract/models.ts'
import { Ref } from '../../../contract/values.ts'
import { RefineConfig } from './config.ts'

const ids = z.array(z.string()).readonly()

/** What a refinement was started with. What people wrote is content, and lies sealed beside the journal. */
export const RefinementRequest = z
  .object({
    rules: RefineConfig,
    /** Weakest first. */
    ladder: z.array(Rung).readonly(),
    start: z.string(),
    /** Where an escalation goes, first choice first. */
    escalateTo: ids,
    /** Who takes over from a provider that is down, first choice first. */
    failover: ids,
    judges: ids,
    localOnly: z.boolean(),
    /** There is no task: the run ends at once. */
    empty: z.literal(true).optional(),
    /** A Brief, as JSON. */
    brief: Ref,
    /** A Rubric, as JSON. */
    rubric: Ref,
    taskId: z.string(),
    correlationId: z.string(),
    branch: z.string().nullable(),
    /** The run this one goes on from, and up to which of its events. */
    parent: z.object({ run: z.string(), seq: z.number() }).readonly().optional(),
  })
  .readonly()
export type RefinementRequest = z.infer<typeof RefinementRequest>

/** The file that is refined, as it was. `path` is the file itself, `shown` what it was called. */
export const RefinedFile = z
  .object({
    path: z.string(),
    shown: z.string(),
    /** What it was called is a link to it. */
    link: z.literal(true).optional(),
    sha256: z.string(),
    mode: z.number(),
  })
  .readonly()
export type RefinedFile = z.infer<typeof RefinedFile>

/** What is to be done, in people's words, and where the text goes once it is good: content. */
export const Brief = z
  .object({
    task: z.string(),
    goal: z.string().optional(),
    /** The text that is to become better, where there is one. */
    text: z.string().optional(),
    context: z.array(z.object({ name: z.string(), text: z.string() }).readonly()).readonly(),
    file: RefinedFile.optional(),
    out: z.string().optional(),
    write: z.boolean().optional(),
  })
  .readonly()
export type Brief = z.infer<typeof Brief>
