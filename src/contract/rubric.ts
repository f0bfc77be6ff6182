import { z } from 'zod'

const name = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'a name of a-z, 0-9 and -')
const prose = z.string().min(1).max(2000)

const Dimension = z
  .strictObject({
    id: name,
    question: prose,
    weight: z.number().positive().max(100),
    /** Minimum score, 0 to 100. A text below it fails, however good its other scores are. */
    floor: z.number().min(0).max(100).default(60),
    /** Descriptions of the levels 0 to 5. */
    levels: z.array(prose).length(6).readonly().optional(),
  })
  .readonly()

/** Checks done by code. A text that fails any of them is rejected. */
const Checks = z
  .strictObject({
    leastWords: z.int().positive(),
    mostWords: z.int().positive(),
    headings: z.array(z.string().min(1).max(200)).max(50).readonly(),
    banned: z.array(z.string().min(1).max(200)).max(200).readonly(),
    /** How often the same eight words in a row may occur. */
    mostRepeats: z.int().min(1),
    json: z.literal(true),
  })
  .partial()
  .readonly()

/** A text with a known score, used to calibrate a judge. */
const Anchor = z
  .strictObject({ task: prose, text: z.string().min(1).max(8000), score: z.number().min(0).max(100) })
  .readonly()

export const Rubric = z
  .strictObject({
    id: name,
    version: z.int().min(1),
    dimensions: z.array(Dimension).min(1).max(8).readonly(),
    checks: Checks.default({}),
    anchors: z.array(Anchor).max(40).readonly().default([]),
  })
  .readonly()
export type Rubric = z.infer<typeof Rubric>
