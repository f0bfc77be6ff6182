import { z } from 'zod'
import { changeTypes, magnitudes } from './semantic-diff.ts'

// What comes first in an answer is decided first: a model names its hunks and quotes them before it says what they mean.

const ids = z.array(z.string())

const ChangeLabel = z.object({
  id: z.string(),
  hunks: ids,
  units: ids,
  evidence: z.array(z.object({ side: z.enum(['before', 'after']), quote: z.string() })),
  before: z.string(),
  after: z.string(),
  facts: z.array(z.object({ entity: z.string(), attribute: z.string(), from: z.string(), to: z.string() })),
  type: z.enum(changeTypes),
  magnitude: z.enum(magnitudes),
  locator: z.string(),
  title: z.string(),
  summary: z.string(),
  why: z.string(),
  depends_on: ids,
  ripple_of: z.string().nullable(),
})
export type ChangeLabel = z.infer<typeof ChangeLabel>

export const DiffLabels = z.object({
  changes: z.array(ChangeLabel),
  impact: z.object({
    tone: z.object({ from: z.string(), to: z.string() }).nullable(),
    arcs: z.array(z.string()),
    consistency: z.string(),
  }),
  risks: z.array(z.object({ text: z.string(), severity: z.enum(['low', 'high']) })),
  rationale: z.string(),
})
/** What a model says about a diff. Nothing of it is checked yet. */
export type DiffLabels = z.infer<typeof DiffLabels>
