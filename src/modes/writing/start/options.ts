import { z } from 'zod'
import { Answers, leastOutputTokens } from '../contract/request.ts'

const text = z.string().optional()
/** A number or its text, parsed like a flag. */
const figure = z.union([z.string(), z.number().transform(String)]).optional()

const countFrom = (least: number) => {
  const allowed = `a whole number, at least ${least}`
  return z.coerce.number(allowed).int(allowed).min(least, allowed).optional()
}

/** Options of an iteration, named like the flags of `write`. */
export const IterationOptions = z
  .object({
    kind: z.enum(['iterate', 'generate', 'analyze']).default('iterate'),
    /** The folder of the projects, and the project in it. */
    studio: z.string(),
    project: z.string(),
    target: z.string(),
    feedback: z.string().default(''),
    analysis: text,
    cull: z.enum(['cull-all', 'keep-all', 'cancel']).optional(),
    replace: z.boolean().default(false),
    answers: Answers.optional(),
    model: text,
    judge: text,
    localOnly: z.boolean().default(false),
    view: z.enum(['full', 'compact']).default('full'),
    askAfter: z.coerce.number().int().min(1).default(1),
    session: text,
    maxAttempts: countFrom(1),
    outputTokens: countFrom(leastOutputTokens),
    maxTime: figure,
    maxCost: figure,
    maxTokens: figure,
    /** Tokens per second, measured in this session, for the estimate. */
    speed: z.number().positive().optional(),
  })
  .readonly()
export type IterationOptions = z.infer<typeof IterationOptions>
