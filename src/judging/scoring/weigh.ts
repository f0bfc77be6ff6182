import type { Rubric } from '../../contract/rubric.ts'
import type { Calibration } from './score-data.ts'

/** The combined result of several judgements of one text. Numbers are out of 100, rounded as shown, so that the displayed values decide. */
export type Weighed = {
  /** Before calibration. */
  readonly raw: number
  /** After calibration. */
  readonly score: number
  readonly dimensions: Readonly<Record<string, number>>
  /** The standard error of the score. */
  readonly spread: number
  /** The calibrated score of each judgement. */
  readonly each: readonly number[]
}

type Scores = Readonly<Record<string, number>>

/** Assumed for a judge without calibration. */
const uncalibrated = { intercept: 0, slope: 1, sigma: 8 }
/** Widens the error of a model that judges its own text. */
const selfJudgedFactor = 1.25

export function weighScores(
  judgements: readonly Scores[],
  { rubric, calibration, selfJudged }: { rubric: Rubric; calibration: Calibration | null; selfJudged: boolean },
): Weighed {
  const line = calibration ?? uncalibrated
  const calibrated = (raw: number): number => round(Math.min(100, Math.max(0, line.intercept + line.slope * raw)))
  const medians = Object.fromEntries(
    rubric.dimensions.map(({ id }) => [id, median(judgements.map((scores) => scores[id]!))]),
  )
  const raw = computeOverall(medians, rubric)
  const each = judgements.map((scores) => calibrated(computeOverall(scores, rubric)))
  const sigma = line.sigma * (selfJudged ? selfJudgedFactor : 1)
  return {
    raw: round(raw),
    score: calibrated(raw),
    dimensions: Object.fromEntries(Object.entries(medians).map(([id, value]) => [id, calibrated(value)])),
    spread: round(Math.sqrt(variance(each) / each.length + sigma ** 2)),
    each,
  }
}

export function computeOverall(scores: Scores, { dimensions }: Rubric): number {
  const weights = dimensions.reduce((sum, { weight }) => sum + weight, 0)
  return dimensions.reduce((sum, { id, weight }) => sum + scores[id]! * weight, 0) / weights
}

/** Rounds to hundredths, so that floating-point error cannot miss a threshold of 80. */
const round = (value: number): number => Math.round(value * 100) / 100

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}

/** Sorts first, so that the order of judgements does not change even the last bit. */
function variance(values: readonly number[]): number {
  if (values.length < 2) return 0
  const sorted = values.toSorted((one, other) => one - other)
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  return sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sorted.length - 1)
}
