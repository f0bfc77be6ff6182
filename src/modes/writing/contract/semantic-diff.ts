import { z } from 'zod'

// A semantic diff has two layers, joined by the ids of hunks. Code computes stats, units, hunks, coverage and flags. A model writes
// changes, impact, risks and rationale, and may only refer to what code has found.

const count = z.int().nonnegative()
const ids = z.array(z.string()).readonly()

export const magnitudes = ['major', 'moderate', 'minor'] as const
export const changeTypes = [
  'add',
  'remove',
  'rewrite',
  'reorder',
  'rename',
  'retone',
  'fact',
  'structure',
  'format',
] as const

const DiffStats = z
  .object({
    files_total: count,
    files_changed: count,
    lines_added: count,
    lines_removed: count,
    words_before: count,
    words_after: count,
  })
  .readonly()
export type DiffStats = z.infer<typeof DiffStats>

/** A file of the level. */
export const Unit = z
  .object({
    id: z.string(),
    /** `lead`: a file that belongs to all others, such as foundation.md. `part`: one of a series. `whole`: the level's only file. */
    kind: z.enum(['lead', 'part', 'whole']),
    /** For people: "Chapter 3", "Foundation". */
    label: z.string(),
    format: z.enum(['markdown', 'json']),
    path: z.string(),
    status: z.enum(['modified', 'added', 'removed', 'renamed', 'unchanged']),
    from_path: z.string().nullable(),
    words_before: count,
    words_after: count,
    hash_before: z.string().nullable(),
    hash_after: z.string().nullable(),
  })
  .readonly()
export type Unit = z.infer<typeof Unit>

/** Lines of one side, counted from 1. `lines` 0: nothing, after line `start`. */
const Side = z.object({ start: count, lines: count, text: z.string() }).readonly()

export const Hunk = z
  .object({
    id: z.string(),
    unit: z.string(),
    before: Side,
    after: Side,
    granularity: z.enum(['line', 'sentence', 'field']),
    /** The JSON path of a field, such as `/themes/2`; null in a text. */
    field: z.string().nullable(),
    /** The heading above it, for people; null if there is none. */
    heading: z.string().nullable(),
    words_before: count,
    words_after: count,
    /** The text moved here from, or to, this other hunk. */
    moved: z.string().nullable(),
  })
  .readonly()
export type Hunk = z.infer<typeof Hunk>

export const DiffFlag = z
  .object({
    /** The change that the claim belongs to; null for a claim about the whole. */
    change: z.string().nullable(),
    code: z.enum([
      'unknown-hunk',
      'unknown-unit',
      'quote-not-found',
      'count-differs',
      'claims-change-where-none',
      'denies-change',
      'wrong-unit',
      'direction-differs',
      'fact-not-found',
      'unit-not-explained',
    ]),
    /** The claim and what is true instead, for people. */
    says: z.string(),
  })
  .readonly()
export type DiffFlag = z.infer<typeof DiffFlag>

export const Change = z
  .object({
    id: z.string(),
    magnitude: z.enum(magnitudes),
    type: z.enum(changeTypes),
    units: ids,
    /** The place within the unit, for people: "Opening scene". */
    locator: z.string(),
    title: z.string(),
    summary: z.string(),
    before: z.string(),
    after: z.string(),
    facts: z
      .array(z.object({ entity: z.string(), attribute: z.string(), from: z.string(), to: z.string() }).readonly())
      .readonly(),
    why: z.string(),
    hunks: ids,
    /** Ids of changes without which this one makes no sense. */
    depends_on: ids,
    ripple_of: z.string().nullable(),
    evidence: z
      .array(z.object({ side: z.enum(['before', 'after']), quote: z.string(), verified: z.boolean() }).readonly())
      .readonly(),
  })
  .readonly()
export type Change = z.infer<typeof Change>

export const SemanticDiff = z
  .object({
    schema: z.literal('semdiff/1'),
    iteration_id: z.string(),
    target: z.string(),
    request: z.string(),
    stats: DiffStats,
    units: z.array(Unit).readonly(),
    hunks: z.array(Hunk).readonly(),
    /** The texts were too long or too different to compare in detail: hunks are whole files. */
    limited: z.boolean(),
    changes: z.array(Change).readonly(),
    /** Hunks that no change explains. */
    unexplained_hunks: ids,
    impact: z
      .object({
        tone: z.object({ from: z.string(), to: z.string() }).readonly().nullable(),
        arcs: z.array(z.string()).readonly(),
        consistency: z.string(),
      })
      .readonly(),
    risks: z.array(z.object({ text: z.string(), severity: z.enum(['low', 'high']) }).readonly()).readonly(),
    rationale: z.string(),
    coverage: z.object({ hunks_explained_pct: z.number(), quotes_verified_pct: z.number() }).readonly(),
    /** Claims of the model that contradict what code has found. */
    flags: z.array(DiffFlag).readonly(),
    verdict: z.object({ judge: z.enum(['approved', 'needs_revision', 'none']), attempts: count }).readonly(),
    /** The model gave no usable labels: changes were made from the sizes of the units. */
    fallback: z.boolean(),
    model: z.string().nullable(),
  })
  .readonly()
export type SemanticDiff = z.infer<typeof SemanticDiff>
