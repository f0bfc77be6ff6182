type Scored = { readonly score: number; readonly spread: number }
type Bounds = { readonly stopScore: number; readonly escalateScore: number }

/** From a standard error to the interval that holds four times out of five. */
const four = 1.28

/** "84 ± 5". */
export const sayScore = ({ score, spread }: Scored, bounds: Bounds): string =>
  `${sayPoints(score, bounds)} ± ${Math.round(four * spread)}`

/** In whole points, unless that would put it on the other side of a bound. */
export function sayPoints(score: number, { stopScore, escalateScore }: Bounds): string {
  const whole = Math.round(score)
  const crosses = [stopScore, escalateScore].some((bound) => score < bound !== whole < bound)
  return String(crosses ? Math.floor(score * 10) / 10 : whole)
}
