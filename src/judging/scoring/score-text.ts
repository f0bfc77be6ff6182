import type { Rubric } from '../../contract/rubric.ts'
import { findFailedChecks } from './checks.ts'
import { evaluatorId, type Judge } from './evaluator-id.ts'
import { isBlocking, updateIssues } from './issues.ts'
import { judgeQuestion, listMaterial, type QuestionInput } from './question.ts'
import { type Reading, readReply } from './read-reply.ts'
import type { AskJudge, Band, Calibration, Issue, Scored } from './score-data.ts'
import { type ScoringRules, within80 } from './score-data.ts'
import { type Weighed, weighScores } from './weigh.ts'

export type ScoreOptions = {
  readonly rubric: Rubric
  readonly rules: ScoringRules
  readonly brief: { readonly task: string; readonly goal?: string | undefined }
  readonly material?: QuestionInput['material']
  readonly feedback?: QuestionInput['feedback']
  readonly phase: QuestionInput['phase']
  /** Within the phase, counted from 1. */
  readonly iteration: number
  readonly text: string
  /** The best text so far. */
  readonly base?: string | undefined
  /** All issues of the phase, open and fixed. */
  readonly issues: readonly Issue[]
  readonly calibration: Calibration | null
  readonly judge: Judge
  readonly selfJudged: boolean
  readonly ask: AskJudge
}

type Unavailable = Extract<Scored, { status: 'unavailable' }>

/** Asks the judge until the score is certain enough or `rules.samples` is reached. The judge only scores; code decides what follows. */
export async function scoreText(options: ScoreOptions): Promise<Scored> {
  const { rubric, rules, calibration, selfJudged } = options
  const readings: Reading[] = []
  const weighed = (): Weighed =>
    weighScores(
      readings.map(({ dimensions }) => dimensions),
      { rubric, calibration, selfJudged },
    )
  do {
    const judged = await judgeOnce(options, readings.length + 1)
    if (judged.status === 'read') readings.push(judged.reading)
    else if (readings.length === 0) return judged
    // Use the earlier readings: an unreadable reply must not turn them into a pass.
    else break
  } while (wantsAnother(weighed(), rules))
  return buildScore(options, { readings, weighed: weighed() })
}

/** Asks once more if the answer is unreadable, and tells the judge what was wrong. */
async function judgeOnce(
  { rubric, rules, brief, material, feedback, phase, text, issues, ask }: ScoreOptions,
  sample: number,
): Promise<{ readonly status: 'read'; readonly reading: Reading } | Unavailable> {
  const { task, goal } = brief
  const asked: QuestionInput = {
    rubric,
    scale: rules.scale,
    task,
    goal,
    material,
    feedback,
    phase,
    text,
    issues,
    sample,
  }
  let why: string | undefined
  for (const key of [`judge-${sample}`, `judge-${sample}-again`]) {
    const answer = await ask(judgeQuestion({ ...asked, unreadable: why }), key, 'judge')
    if (answer.status !== 'ok') return { status: 'unavailable', why: answer.status, detail: answer.detail }
    const read = readReply(answer.text, { ...asked, given: listMaterial(asked) })
    if (read.status === 'read') return read
    why = read.why
  }
  return { status: 'unavailable', why: 'unreadable', detail: why! }
}

function buildScore(
  options: ScoreOptions,
  { readings, weighed }: { readings: readonly Reading[]; weighed: Weighed },
): Scored {
  const { rubric, rules, text, judge, calibration, selfJudged } = options
  const { raw, score, spread, dimensions } = weighed
  const unverified = readings.reduce((sum, reading) => sum + reading.unverified, 0)
  const vetoes = [...belowFloor(weighed, rubric, rules), ...findFailedChecks(text, rubric.checks)]
  const issues = updateIssues({ ...options, known: options.issues, readings })
  const isBlocked = vetoes.length > 0 || (rules.decidesBy === 'interval' && issues.some(isBlocking))
  const band: Band = chooseBand(weighed, rules)
  return {
    status: 'scored',
    band: band === 'pass' && isBlocked ? 'retry' : band,
    raw,
    score,
    spread,
    dimensions,
    confidence: computeConfidence(weighed, { ...rules, selfJudged, unverified }),
    samples: readings.length,
    evaluator: evaluatorId(rubric, judge, rules),
    calibration,
    judge: judge.via,
    selfJudged,
    vetoes,
    unverified,
    issues,
  }
}

/** On the anchored scale, rounds to the nearest half, so that a tiny calibration shift does not turn a 3 into a 2.5. */
function belowFloor({ dimensions }: Weighed, rubric: Rubric, { scale }: ScoringRules): readonly string[] {
  return rubric.dimensions.flatMap(({ id, floor }) => {
    const value = scale === 'anchored' ? Math.round(dimensions[id]! / 10) * 10 : dimensions[id]!
    return value < floor ? [`${id} ${value} < ${floor}`] : []
  })
}

type Bounds = Pick<ScoringRules, 'stopScore' | 'escalateScore' | 'decidesBy'>
type Sure = Pick<Weighed, 'score' | 'spread' | 'each'>

/**
 * Standard errors by which the score must exceed the threshold, since two judgements of exactly 80 do not show which side the text is on. At a
 * third, fewer bad texts pass than under the rule of the sap presets, and no more good ones are missed (`npm run bench:policy`).
 */
const margin = 1 / 3

/** Chooses the band from the score alone. */
export function chooseBand(weighed: Sure, { stopScore, escalateScore, decidesBy }: Bounds): Band {
  const { score } = weighed
  if (decidesBy === 'point') return pointBand(score, { stopScore, escalateScore })
  const { lower, upper } = interval(weighed)
  const twice = (holds: (one: number) => boolean): boolean => weighed.each.filter(holds).length >= 2
  if (lower >= stopScore || (score >= passThreshold(weighed, stopScore) && twice((one) => one >= stopScore)))
    return 'pass'
  if (upper < escalateScore || (score < escalateScore && twice((one) => one < escalateScore))) return 'escalate'
  return 'retry'
}

function pointBand(score: number, { stopScore, escalateScore }: Omit<Bounds, 'decidesBy'>): Band {
  if (score >= stopScore) return 'pass'
  return score >= escalateScore ? 'retry' : 'escalate'
}

const passThreshold = ({ spread }: Sure, stopScore: number): number => stopScore + margin * spread

const interval = ({ score, spread }: Sure) => ({ lower: score - within80 * spread, upper: score + within80 * spread })

/** True if the band is uncertain and another judgement could still settle it. */
function wantsAnother(weighed: Sure, rules: Bounds & Pick<ScoringRules, 'samples'>): boolean {
  const { stopScore, escalateScore, decidesBy, samples } = rules
  const left = samples - weighed.each.length
  if (decidesBy === 'point' || left <= 0 || chooseBand(weighed, rules) !== 'retry') return false
  const { lower, upper } = interval(weighed)
  // The median of three is at most the second highest, so two must agree.
  const high = weighed.each.filter((one) => one >= passThreshold(weighed, stopScore)).length
  const low = weighed.each.filter((one) => one < escalateScore).length
  const straddles = (bound: number): boolean => lower < bound && bound <= upper
  return (straddles(stopScore) && high + left >= 2) || (straddles(escalateScore) && low + left >= 2)
}

/** Returns the probability that the true quality is in the same band as the score. */
function computeConfidence(
  { score, spread }: Sure,
  {
    stopScore,
    escalateScore,
    selfJudged,
    unverified,
  }: Omit<Bounds, 'decidesBy'> & { selfJudged: boolean; unverified: number },
): number {
  const below = (bound: number): number => normal((bound - score) / spread)
  const likely = {
    pass: () => 1 - below(stopScore),
    retry: () => below(stopScore) - below(escalateScore),
    escalate: () => below(escalateScore),
  }[pointBand(score, { stopScore, escalateScore })]()
  const doubt = (selfJudged ? 0.1 : 0) + Math.min(0.3, 0.1 * unverified)
  return Math.round(Math.min(1, Math.max(0, likely - doubt)) * 100) / 100
}

/** Approximates the cumulative normal distribution by a logistic curve, accurate to 0.0002. */
const normal = (z: number): number => 1 / (1 + Math.exp(-1.5976 * z - 0.07056 * z ** 3))
