import type { Rubric } from '../../contract/rubric.ts'
import { sha256 } from '../sha256.ts'
import { judgeTemperature, promptVersion } from './question.ts'
import type { Calibration, ScoringRules } from './score-data.ts'

/** Whoever judges, and what is known of it. `via` names it to people, `model` to its provider. */
export type Judge = { readonly via: string; readonly model: string }

/** Scores under different ids were given by different measures and are not compared as they are. */
export function evaluatorId(rubric: Rubric, { via, model }: Judge, { scale }: Pick<ScoringRules, 'scale'>): string {
  const known = idCache.get(rubric) ?? new Map<string, string>()
  idCache.set(rubric, known)
  const by = JSON.stringify([via, model, promptVersion[scale], scale, judgeTemperature])
  const id = known.get(by) ?? shortHash(`[${JSON.stringify(sortedKeys(rubric))},${by.slice(1)}`)
  known.set(by, id)
  return id
}

/** A rubric with its anchors is long, and judges by it in every iteration. */
const idCache = new WeakMap<Rubric, Map<string, string>>()

/** The same judge may be measured again and be read otherwise. */
export const calibrationId = (
  evaluator: string,
  { intercept, slope, sigma, anchors }: Omit<Calibration, 'id'>,
): string => shortHash(JSON.stringify([evaluator, intercept, slope, sigma, anchors]))

const shortHash = (text: string): string => sha256(text).slice(0, 12)

/** A rubric is the same in whatever order its file names things. */
function sortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortedKeys)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([key, held]) => [key, sortedKeys(held)])
}
