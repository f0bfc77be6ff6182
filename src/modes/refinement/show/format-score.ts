import { within80 } from '../../../judging/scoring/rules.ts'

type Scored = { readonly score: number; readonly spread: number }
type Bounds = { readonly stopScore: number; readonly escalateScore: number }

/** "84 ± 5": the true worth lies within that interval four times in five. */
export const formatScore = ({ score, spread }: Scored, bounds: Bounds): string =>
  `${formatPoints(score, bounds)} ± ${Math.round(within80 * spread)}`

/** In whole points, unless that would put it on the other side of a bound. */
export function formatPoints(score: number, { stopScore, escalateScore }: Bounds): string {
  const whole = Math.round(score)
  const crosses = [stopScore, escalateScore].some((bound) => score < bound !== whole < bound)
  return String(crosses ? Math.floor(score * 10) / 10 : whole)
}
