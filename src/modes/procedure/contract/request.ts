import { z } from 'zod'
import { FrozenAgent } from '../../../contract/envelope.ts'

const texts = z.array(z.string()).readonly()

/** A file, read again for each iteration, or a text. A bare string is from an older version: a file if it is one line ending in .md or .txt. */
const PromptEntry = z.union([
  z.string(),
  z.object({ file: z.string() }).readonly(),
  z.object({ text: z.string() }).readonly(),
])
export type PromptEntry = z.infer<typeof PromptEntry>
const entries = z.array(PromptEntry).readonly()

/** The frozen request of a procedure. Commands are frozen; prompt files are read again for each iteration. */
export const ProcedureRequest = z
  .object({
    phases: z.object({ observe: entries, orient: entries, decide: entries, act: entries }).readonly(),
    context: entries,
    gates: texts,
    agent: FrozenAgent,
    silenceMs: z.number().optional(),
    /** Estimated prompt tokens above which a warning is shown. */
    tokenBudget: z.number().optional(),
    /** End the run if iterations make no progress. */
    stuck: z.boolean().optional(),
    /** Gates run in a clean room. */
    cleanRoom: z.literal(true).optional(),
    until: z.enum(['never', 'gates', 'promise+gates']),
    /** Seed 002: reaching the maximum is a success even if a gate fails. */
    redIsFine: z.boolean(),
  })
  .readonly()
export type ProcedureRequest = z.infer<typeof ProcedureRequest>
