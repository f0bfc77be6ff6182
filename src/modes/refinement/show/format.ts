import type { Bound } from '../../../contract/show.ts'
import { within80 } from '../../../judging/scoring/score-data.ts'
import { formatAmount, formatDuration } from '../../../show/format.ts'
import { boundCaps, type RefineBound } from '../core/bounds.ts'

/** Converts a bound for renderers. */
export const asBound = ({ soft, ...bound }: RefineBound): Bound => ({
  ...bound,
  cap: boundCaps[bound.name],
  unit: units[bound.name],
  ...(soft !== undefined && { soft: { from: soft, says: 'a stronger model' } }),
})

const units: Readonly<Record<RefineBound['name'], Bound['unit']>> = {
  iterations: 'count',
  tokens: 'tokens',
  overhead: 'tokens',
  cost: 'usd',
  time: 'ms',
}

/** "130 of 80,000 (a stronger model from 40,000)". */
export function formatUsed({ name, used, of, soft, atLeast }: RefineBound): string {
  const format = formats[name]
  const stronger = soft === undefined ? '' : ` (a stronger model from ${format(soft)})`
  return `${atLeast ? 'at least ' : ''}${format(used)} of ${format(of)}${stronger}`
}

export const formatCost = (usd: number): string => (usd > 0 && usd < 0.005 ? '<$0.01' : `$${usd.toFixed(2)}`)

const formats: Readonly<Record<RefineBound['name'], (value: number) => string>> = {
  iterations: String,
  tokens: formatAmount,
  overhead: formatAmount,
  time: formatDuration,
  cost: formatCost,
}

type Scored = { readonly score: number; readonly spread: number }
type Bounds = { readonly stopScore: number; readonly escalateScore: number }

/** "84 ± 5": the 80 % confidence interval. */
export const formatScore = ({ score, spread }: Scored, bounds: Bounds): string =>
  `${formatPoints(score, bounds)} ± ${Math.round(within80 * spread)}`

/** Rounds to full points, unless that would move the score across a bound. */
export function formatPoints(score: number, { stopScore, escalateScore }: Bounds): string {
  const rounded = Math.round(score)
  const crosses = [stopScore, escalateScore].some((bound) => score < bound !== rounded < bound)
  return String(crosses ? Math.floor(score * 10) / 10 : rounded)
}
