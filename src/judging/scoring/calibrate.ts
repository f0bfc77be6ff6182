import type { Rubric } from '../../contract/rubric.ts'
import { calibrationId, evaluatorId, type Judge } from './evaluator-id.ts'
import { judgeQuestion, listMaterial } from './question.ts'
import { readReply } from './read-reply.ts'
import type { AskJudge, Calibration, ScoringRules } from './score-data.ts'
import { computeOverall } from './weigh.ts'

export type Calibrated = {
  /** null: the judge is read as it speaks. */
  readonly calibration: Calibration | null
  /** Why there is none. `down` and `budget` may be otherwise next time; the others are not. `blind`: it is not to be read at all. */
  readonly why?: 'no-anchors' | 'unreadable' | 'blind' | 'down' | 'budget'
  readonly detail?: string
  /** What it gave for each anchor, in their order; null where nobody could read it. */
  readonly raws: readonly (number | null)[]
}

const leastAnchors = 6

/** Measures a judge by texts whose worth is known, each asked about once, in the words of real judging. */
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
  if (pairs.length < leastAnchors) return { calibration: null, why: 'unreadable', raws }
  if (isBlind(pairs))
    return { calibration: null, why: 'blind', detail: 'it cannot tell good texts from bad ones', raws }
  const fit = fitted(pairs)
  return { calibration: { id: calibrationId(evaluatorId(rubric, judge, rules), fit), ...fit }, raws }
}

type Pair = { readonly raw: number; readonly target: number }

/**
 * target = intercept + slope * raw. What is known is the worth of the anchors, so the judge's line is fitted over it and then turned round: fitted
 * the other way, noise alone would draw every score towards the middle of the anchors. A dozen texts say little about how steep the line is, so that
 * is drawn towards 1 by n / (n + 10). How far off the judge is on the whole is drawn towards 0 only as far as it may be chance: shrunk like the
 * rest, a judge that is 10 off everywhere would stay 4 or 5 off.
 */
function fitted(pairs: readonly Pair[]): Omit<Calibration, 'id'> {
  const used = withinScale(pairs)
  const n = used.length
  const [raw, target] = [mean(used.map((pair) => pair.raw)), mean(used.map((pair) => pair.target))]
  const sumTerm = (term: (pair: Pair) => number): number => used.reduce((sum, pair) => sum + term(pair), 0)
  const width = sumTerm((pair) => (pair.target - target) ** 2)
  const steepness = width === 0 ? 1 : sumTerm((pair) => (pair.raw - raw) * (pair.target - target)) / width
  const slope = clamp(1 / Math.max(0.1, 1 + (n / (n + 10)) * (steepness - 1)), 0.5, 1.5)
  const residual = sumTerm((pair) => (pair.target - target - slope * (pair.raw - raw)) ** 2) / (n - 2)
  const bias = target - raw
  const believed = bias === 0 ? 0 : Math.max(0, 1 - residual / n / bias ** 2)
  return {
    intercept: rounded(raw + believed * bias - slope * raw),
    slope: rounded(slope),
    sigma: rounded(clamp(Math.sqrt(residual), 2, 20)),
    anchors: pairs.length,
  }
}

/**
 * Who gives good and bad texts alike says nothing by a score, whatever line one draws through it. A judge that is off by 25 points
 * now and then still has 0.75 here; one that throws dice has 0.5 once in twenty times.
 */
function isBlind(pairs: readonly Pair[]): boolean {
  const [raw, target] = [mean(pairs.map((pair) => pair.raw)), mean(pairs.map((pair) => pair.target))]
  const sumTerm = (term: (pair: Pair) => number): number => pairs.reduce((sum, pair) => sum + term(pair), 0)
  const together = sumTerm((pair) => (pair.raw - raw) * (pair.target - target))
  const apart = sumTerm((pair) => (pair.raw - raw) ** 2) * sumTerm((pair) => (pair.target - target) ** 2)
  return apart === 0 || together / Math.sqrt(apart) < leastSight
}

const leastSight = 0.5

/** At the ends of its scale a judge cannot say all it would: left out, as long as enough others speak. */
function withinScale(pairs: readonly Pair[]): readonly Pair[] {
  const inside = pairs.filter(({ raw }) => raw > 0 && raw < 100)
  return inside.length >= leastAnchors ? inside : pairs
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value))
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000
