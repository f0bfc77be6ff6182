import type { Rubric } from '../../contract/rubric.ts'
import { calibrationId, evaluatorId, type Judge } from './evaluator-id.ts'
import { judgeQuestion, listMaterial } from './question.ts'
import { readReply } from './read-reply.ts'
import type { AskJudge, Calibration, ScoringRules } from './score-data.ts'
import { computeOverall } from './weigh.ts'

export type Calibrated = {
  /** Null: the judge's scores are used as they are. */
  readonly calibration: Calibration | null
  /** Why there is none. `down` and `budget` may pass, the others are permanent. `blind`: the judge must not be used at all. */
  readonly why?: 'no-anchors' | 'unreadable' | 'blind' | 'down' | 'budget'
  readonly detail?: string
  /** The judge's score for each anchor, in order; null if its reply was unreadable. */
  readonly raws: readonly (number | null)[]
}

const minAnchors = 6

/** Measures a judge on texts of known quality. Asks about each once, with the same prompt as in real judging. */
export async function calibrate(options: {
  readonly rubric: Rubric
  readonly rules: Pick<ScoringRules, 'scale'>
  readonly judge: Judge
  readonly ask: AskJudge
}): Promise<Calibrated> {
  const { rubric, rules, judge, ask } = options
  const raws: (number | null)[] = []
  if (rubric.anchors.length === 0) return { calibration: null, why: 'no-anchors', raws }
  for (const [index, { task, text }] of rubric.anchors.entries()) {
    const phase = { title: 'the whole text', number: 1, of: 1 }
    const asked = { rubric, scale: rules.scale, task, phase, text, issues: [], sample: 1 }
    const answer = await ask(judgeQuestion(asked), `calibrate-${index + 1}`, 'calibrate')
    if (answer.status !== 'ok') return { calibration: null, why: answer.status, detail: answer.detail, raws }
    const read = readReply(answer.text, { ...asked, given: listMaterial(asked) })
    raws.push(read.status === 'read' ? computeOverall(read.reading.dimensions, rubric) : null)
  }
  const pairs = raws.flatMap((raw, index) => (raw === null ? [] : [{ raw, target: rubric.anchors[index]!.score }]))
  if (pairs.length < minAnchors) return { calibration: null, why: 'unreadable', raws }
  if (isBlind(pairs))
    return { calibration: null, why: 'blind', detail: 'it cannot tell good texts from bad ones', raws }
  const fit = fitLine(pairs)
  return { calibration: { id: calibrationId(evaluatorId(rubric, judge, rules), fit), ...fit }, raws }
}

type Pair = { readonly raw: number; readonly target: number }

/**
 * Fits target = intercept + slope * raw. The anchors' scores are known exactly, so the judge's scores are regressed on them and the line is inverted:
 * fitted directly, noise would pull every score towards the mean of the anchors. A dozen texts say little about the slope, so it is shrunk
 * towards 1 by n / (n + 10). The bias is shrunk towards 0 only as far as chance explains it: shrunk like the slope, a judge that is off by 10
 * everywhere would stay off by 4 or 5.
 */
function fitLine(pairs: readonly Pair[]): Omit<Calibration, 'id'> {
  const used = dropClipped(pairs)
  const n = used.length
  const [raw, target] = [mean(used.map((pair) => pair.raw)), mean(used.map((pair) => pair.target))]
  const sumTerm = (term: (pair: Pair) => number): number => used.reduce((sum, pair) => sum + term(pair), 0)
  const spread = sumTerm((pair) => (pair.target - target) ** 2)
  const steepness = spread === 0 ? 1 : sumTerm((pair) => (pair.raw - raw) * (pair.target - target)) / spread
  const slope = clamp(1 / Math.max(0.1, 1 + (n / (n + 10)) * (steepness - 1)), 0.5, 1.5)
  const residual = sumTerm((pair) => (pair.target - target - slope * (pair.raw - raw)) ** 2) / (n - 2)
  const bias = target - raw
  const trusted = bias === 0 ? 0 : Math.max(0, 1 - residual / n / bias ** 2)
  return {
    intercept: round(raw + trusted * bias - slope * raw),
    slope: round(slope),
    sigma: round(clamp(Math.sqrt(residual), 2, 20)),
    anchors: pairs.length,
  }
}

/**
 * True if the scores hardly correlate with the quality of the texts, so that no line can calibrate them. A judge that is sometimes off by
 * 25 points still reaches a correlation of 0.75; a random judge reaches 0.5 once in twenty times.
 */
function isBlind(pairs: readonly Pair[]): boolean {
  const [raw, target] = [mean(pairs.map((pair) => pair.raw)), mean(pairs.map((pair) => pair.target))]
  const sumTerm = (term: (pair: Pair) => number): number => pairs.reduce((sum, pair) => sum + term(pair), 0)
  const covariance = sumTerm((pair) => (pair.raw - raw) * (pair.target - target))
  const variances = sumTerm((pair) => (pair.raw - raw) ** 2) * sumTerm((pair) => (pair.target - target) ** 2)
  return variances === 0 || covariance / Math.sqrt(variances) < minCorrelation
}

const minCorrelation = 0.5

/** Drops scores at the ends of the scale, where they are clipped, if enough others remain. */
function dropClipped(pairs: readonly Pair[]): readonly Pair[] {
  const inside = pairs.filter(({ raw }) => raw > 0 && raw < 100)
  return inside.length >= minAnchors ? inside : pairs
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value))
const round = (value: number): number => Math.round(value * 10_000) / 10_000
