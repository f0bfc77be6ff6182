import { z } from 'zod'

const count = z.int().nonnegative()
const score = z.number().min(0).max(100)

/** All rules of a refinement. Stored in its request, so that a running one never changes. */
export const RefineConfig = z
  .strictObject({
    preset: z.string(),
    /** An iteration is one generation with its score, over all phases. */
    iterations: count.min(1),
    tokens: count.min(1),
    /** Above this many tokens a stronger model takes over. */
    escalateTokens: count.min(1),
    /** For judging and planning, if these are counted separately. */
    overheadTokens: count.min(1),
    counts: z.enum(['generator', 'all']),
    escalations: count,
    retries: count,
    backOffMs: z.array(count).readonly(),
    stopScore: score,
    escalateScore: score,
    /** `point`: by the score alone. `interval`: by the score and its uncertainty. */
    decidesBy: z.enum(['point', 'interval']),
    /** `percent`: 0 to 100 for each dimension. `anchored`: 0 to 5 in steps of 0.5, evidence first. */
    scale: z.enum(['percent', 'anchored']),
    /** Maximum number of judgements of one text. */
    samples: count.min(1),
    calibrates: z.enum(['always', 'when-models-differ', 'never']),
    onFailure: z.enum(['single-shot', 'partial']),
    /** If the calls took more than `tokens` and the last text passed: end as failed, as the seeds ask, or completed. */
    onOverrun: z.enum(['fail', 'complete']).default('complete'),
    /** If no model answers: end the run, or wait (within `waitMs`) and ask all of them again. */
    onOutage: z.enum(['end', 'wait']),
    phases: z.strictObject({ least: count.min(1), most: count.min(1) }).readonly(),
    /** Minimum room for an answer. A call with less is not made. */
    leastOutputTokens: count.min(1),
    /** Maximum size of earlier texts and context files in a prompt. */
    contextTokens: count.min(1),
    stepLimits: z
      .strictObject({
        decomposeMs: count.min(1),
        generateMs: count.min(1),
        judgeMs: count.min(1),
        pruneMs: count.min(1),
      })
      .readonly(),
    silenceMs: count.min(1),
    waitMs: count,
    /** A pause that nobody ends is over after this time. Absent: it stays. */
    pauseMs: count.min(1).optional(),
  })
  .readonly()
export type RefineConfig = z.infer<typeof RefineConfig>

const common = {
  escalations: 1,
  retries: 2,
  backOffMs: [150, 300],
  stopScore: 80,
  escalateScore: 70,
  phases: { least: 3, most: 5 },
  // A large model on a small machine may take minutes to load, and longer to write.
  stepLimits: { decomposeMs: 600_000, generateMs: 1_800_000, judgeMs: 900_000, pruneMs: 200 },
  silenceMs: 300_000,
  waitMs: 600_000,
} as const

const seeds = {
  ...common,
  overheadTokens: 20_000,
  counts: 'generator',
  decidesBy: 'point',
  scale: 'percent',
  samples: 1,
  calibrates: 'when-models-differ',
  onOutage: 'end',
  onOverrun: 'fail',
  leastOutputTokens: 16,
  contextTokens: 4_000,
  // Without human input, seed 000 completes by itself.
  pauseMs: 600_000,
} as const

/** The numbers of seeds 000 and 001, and `standard`, which has room for a real document. */
export const presets = {
  'sap-0020': {
    ...seeds,
    preset: 'sap-0020',
    iterations: 5,
    tokens: 1_000,
    escalateTokens: 500,
    onFailure: 'single-shot',
  },
  'sap-0010': {
    ...seeds,
    preset: 'sap-0010',
    iterations: 7,
    tokens: 500,
    escalateTokens: 500,
    onFailure: 'partial',
  },
  standard: {
    ...common,
    preset: 'standard',
    iterations: 7,
    tokens: 80_000,
    escalateTokens: 40_000,
    overheadTokens: 80_000,
    counts: 'all',
    decidesBy: 'interval',
    scale: 'anchored',
    samples: 3,
    calibrates: 'always',
    onFailure: 'partial',
    onOutage: 'wait',
    onOverrun: 'complete',
    leastOutputTokens: 400,
    contextTokens: 12_000,
  },
} as const satisfies Record<string, RefineConfig>
export type PresetName = keyof typeof presets
export const presetNames = Object.keys(presets) as readonly PresetName[]
