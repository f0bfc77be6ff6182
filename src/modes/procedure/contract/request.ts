import { z } from 'zod'
import { FrozenAgent } from '../../../contract/envelope.ts'

const texts = z.array(z.string()).readonly()

/** What a procedure was started with. Prompt files are read anew for each iteration; commands are frozen here. */
export const ProcedureRequest = z
  .object({
    phases: z.object({ observe: texts, orient: texts, decide: texts, act: texts }).readonly(),
    /** Texts; one line ending in .md or .txt, or an object, names a file. */
    context: z.array(z.union([z.string(), z.object({ file: z.string() }).readonly()])).readonly(),
    gates: texts,
    agent: FrozenAgent,
    silenceMs: z.number().optional(),
    /** Estimated tokens of a prompt above which a warning is shown. */
    tokenBudget: z.number().optional(),
    /** Iterations that lead nowhere end the run. */
    stuck: z.boolean().optional(),
    until: z.enum(['never', 'gates', 'promise+gates']),
    /** Reaching the maximum with a red gate is a success, as seed 002 has it. */
    redIsFine: z.boolean(),
  })
  .readonly()
export type ProcedureRequest = z.infer<typeof ProcedureRequest>
