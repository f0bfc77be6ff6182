import { type ScoringRules, within80 } from './rules.ts'
import type { Band } from './score-data.ts'
import type { Weighed } from './weigh.ts'

type Bounds = Pick<ScoringRules, 'stopScore' | 'escalateScore' | 'decidesBy'>
type Sure = Pick<Weighed, 'score' | 'spread' | 'each'>

/**
 * Two that agree on just 80 leave it open which side the text is on. The score has to lead by that many standard errors: at a third, fewer
 * bad texts pass than by the rule of the sap presets, and no more good ones are missed (`npm run bench:policy`).
 */
const lead = 1 / 3

/** What the score alone calls for. */
export function bandOf(weighed: Sure, { stopScore, escalateScore, decidesBy }: Bounds): Band {
  const { score } = weighed
  if (decidesBy === 'point') return pointBand(score, { stopScore, escalateScore })
  const { lower, upper } = interval(weighed)
  const twice = (holds: (one: number) => boolean): boolean => weighed.each.filter(holds).length >= 2
  if (lower >= stopScore || (score >= passing(weighed, stopScore) && twice((one) => one >= stopScore))) return 'pass'
  if (upper < escalateScore || (score < escalateScore && twice((one) => one < escalateScore))) return 'escalate'
  return 'retry'
}

function pointBand(score: number, { stopScore, escalateScore }: Omit<Bounds, 'decidesBy'>): Band {
  if (score >= stopScore) return 'pass'
  return score >= escalateScore ? 'retry' : 'escalate'
}

const passing = ({ spread }: Sure, stopScore: number): number => stopScore + lead * spread

const interval = ({ score, spread }: Sure) => ({ lower: score - within80 * spread, upper: score + within80 * spread })

/** Whether one more judgement is worth its price: it is open which band holds, and two that agree could still settle it. */
export function wantsAnother(weighed: Sure, rules: Bounds & Pick<ScoringRules, 'samples'>): boolean {
  const { stopScore, escalateScore, decidesBy, samples } = rules
  const left = samples - weighed.each.length
  if (decidesBy === 'point' || left <= 0 || bandOf(weighed, rules) !== 'retry') return false
  const { lower, upper } = interval(weighed)
  // The median of three is no higher than the second of them.
  const high = weighed.each.filter((one) => one >= passing(weighed, stopScore)).length
  const low = weighed.each.filter((one) => one < escalateScore).length
  const straddles = (bound: number): boolean => lower < bound && bound <= upper
  return (straddles(stopScore) && high + left >= 2) || (straddles(escalateScore) && low + left >= 2)
}

/** How likely it is that the text is worth what its score says: that the true worth lies on the score's side of the bounds. */
export function confidenceOf(
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

/** The share of a normal distribution below z; good to 0.0002, from the logistic curve nearest to it. */
const normal = (z: number): number => 1 / (1 + Math.exp(-1.5976 * z - 0.07056 * z ** 3))
