import type { Rubric } from '../../contract/rubric.ts'
import type { Calibration } from './score-data.ts'

/** What several judgements of one text come to. All numbers are of 100; those that are told are those that decide. */
export type Weighed = {
  /** As the judges gave it. */
  readonly raw: number
  /** Read by the calibration. */
  readonly score: number
  readonly dimensions: Readonly<Record<string, number>>
  /** The standard error of the score. */
  readonly spread: number
  /** The score that each judgement alone would come to. */
  readonly each: readonly number[]
}

type Scores = Readonly<Record<string, number>>

/** A judge that nobody measured. */
const uncalibrated = { intercept: 0, slope: 1, sigma: 8 }
/** Who judges what it wrote itself is less to be relied on. */
const selfJudgedWidth = 1.25

export function weighScores(
  judgements: readonly Scores[],
  { rubric, calibration, selfJudged }: { rubric: Rubric; calibration: Calibration | null; selfJudged: boolean },
): Weighed {
  const reads = calibration ?? uncalibrated
  const read = (raw: number): number => rounded(Math.min(100, Math.max(0, reads.intercept + reads.slope * raw)))
  const medians = Object.fromEntries(
    rubric.dimensions.map(({ id }) => [id, median(judgements.map((scores) => scores[id]!))]),
  )
  const raw = computeOverall(medians, rubric)
  const each = judgements.map((scores) => read(computeOverall(scores, rubric)))
  const sigma = reads.sigma * (selfJudged ? selfJudgedWidth : 1)
  return {
    raw: rounded(raw),
    score: read(raw),
    dimensions: Object.fromEntries(Object.entries(medians).map(([id, value]) => [id, read(value)])),
    spread: rounded(Math.sqrt(variance(each) / each.length + sigma ** 2)),
    each,
  }
}

export function computeOverall(scores: Scores, { dimensions }: Rubric): number {
  const weights = dimensions.reduce((sum, { weight }) => sum + weight, 0)
  return dimensions.reduce((sum, { id, weight }) => sum + scores[id]! * weight, 0) / weights
}

/** To the hundredth: 80 is not missed by the last bit of a sum. */
const rounded = (value: number): number => Math.round(value * 100) / 100

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length / 2
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2
}

/** Of sorted values, so that the order of judgements changes not even the last bit. */
function variance(values: readonly number[]): number {
  if (values.length < 2) return 0
  const sorted = values.toSorted((one, other) => one - other)
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length
  return sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (sorted.length - 1)
}
