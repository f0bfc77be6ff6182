import type { Rubric } from '../../contract/rubric.ts'
import { sha256 } from '../sha256.ts'
import { judgeTemperature, promptVersion } from './question.ts'
import type { Calibration, ScoringRules } from './score-data.ts'

/** `via` is the name shown to users, `model` the provider's id. */
export type Judge = { readonly via: string; readonly model: string }

/** Identifies rubric, judge and prompt. Scores under different ids are not directly comparable. */
export function evaluatorId(rubric: Rubric, { via, model }: Judge, { scale }: Pick<ScoringRules, 'scale'>): string {
  const known = idCache.get(rubric) ?? new Map<string, string>()
  idCache.set(rubric, known)
  const by = JSON.stringify([via, model, promptVersion[scale], scale, judgeTemperature])
  const id = known.get(by) ?? shortHash(`[${JSON.stringify(sortKeys(rubric))},${by.slice(1)}`)
  known.set(by, id)
  return id
}

/** Avoids hashing a long rubric in every iteration. */
const idCache = new WeakMap<Rubric, Map<string, string>>()

/** Identifies one calibration of a judge; a new one may differ. */
export const calibrationId = (
  evaluator: string,
  { intercept, slope, sigma, anchors }: Omit<Calibration, 'id'>,
): string => shortHash(JSON.stringify([evaluator, intercept, slope, sigma, anchors]))

const shortHash = (text: string): string => sha256(text).slice(0, 12)

/** Makes the hash independent of the key order in the rubric's file. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, held]) => [key, sortKeys(held)])
}
