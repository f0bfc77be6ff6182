import { z } from 'zod'
import type { JsonSchema } from '../../ports/model.ts'
import { jsonSchemaOf } from '../json-schema.ts'
import type { Scale } from './rules.ts'

export type JudgementShape = {
  readonly scale: Scale
  /** Ids of the dimensions, in the order in which they are asked for. */
  readonly dimensions: readonly string[]
  /** Ids of the issues that are known. */
  readonly issues: readonly string[]
}

/** The answer that a judge is asked for, as a schema: evidence before findings, findings before scores. */
export function judgementSchema({ scale, dimensions, issues }: JudgementShape): JsonSchema {
  return jsonSchemaOf(
    z.object({
      evidence,
      findings,
      ...(issues.length ? { issues: objectOf(issues, z.enum(['fixed', 'open', 'regressed'])) } : {}),
      scores: objectOf(dimensions, scores[scale]),
      confidence: z.number(),
    }),
  )
}

const evidence = z.array(z.object({ dimension: z.string(), quote: z.string() }))
const findings = z.array(z.object({ quote: z.string(), problem: z.string(), severity: z.enum(['major', 'minor']) }))
const halves = Array.from({ length: 11 }, (_, index) => index / 2)
const scores: Readonly<Record<Scale, z.ZodType>> = { percent: z.number(), anchored: z.literal(halves) }

const objectOf = (keys: readonly string[], value: z.ZodType) =>
  z.object(Object.fromEntries(keys.map((key) => [key, value])))
