import { z } from 'zod'

const name = z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, 'a name of a-z, 0-9 and -')
const prose = z.string().min(1).max(2000)

const Dimension = z
  .strictObject({
    id: name,
    question: prose,
    weight: z.number().positive().max(100),
    /** Below this, of 100, nothing passes, however good the rest is. */
    floor: z.number().min(0).max(100).default(60),
    /** What 0, 1, 2, 3, 4 and 5 look like. */
    levels: z.array(prose).length(6).readonly().optional(),
  })
  .readonly()

/** What code can tell for sure. Each can veto. */
const Checks = z
  .strictObject({
    leastWords: z.int().positive(),
    mostWords: z.int().positive(),
    headings: z.array(z.string().min(1).max(200)).max(50).readonly(),
    banned: z.array(z.string().min(1).max(200)).max(200).readonly(),
    /** The same run of eight words more often than this. */
    mostRepeats: z.int().min(1),
    json: z.literal(true),
  })
  .partial()
  .readonly()

/** A text whose worth is known, to measure a judge by. */
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
