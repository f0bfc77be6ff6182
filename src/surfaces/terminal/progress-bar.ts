import type { Bound } from '../../contract/show.ts'
import { amount, duration } from '../../show/format.ts'

const cells = 8

/** `tokens [##..|...] 31%`: the mark is where something else happens. Letters alone, so that it is redrawn in place. */
export function renderBar(bound: Bound): string {
  const { name, used, of, soft, unit } = bound
  const part = of > 0 ? used / of : 1
  // What was begun shows, and only what is spent is full.
  const filled = part >= 1 ? cells : Math.min(cells - 1, Math.ceil(part * cells))
  const mark = soft === undefined ? -1 : Math.min(cells - 1, Math.floor((soft.from / of) * cells))
  const bar = Array.from({ length: cells }, (_, cell) => (cell === mark ? '|' : cell < filled ? '#' : '.')).join('')
  return `${name} [${bar}] ${unit === 'count' ? `${used}/${of}` : percentOf(bound)}`
}

/** 99 is the most that is not all. */
function percentOf({ used, of, atLeast }: Bound): string {
  const part = of > 0 ? used / of : 1
  const whole = part >= 1 ? 100 : Math.min(99, Math.round(part * 100))
  return `${atLeast ? '>=' : ''}${whole}%`
}

/** The same as a row of a table: how much is used, where the bound was set, and whether it ended the run. */
export function boundCells({ name, used, of, unit, soft, atLeast, setBy, fired }: Bound): string[] {
  const format = amounts[unit]
  const marked = soft === undefined ? '' : ` (${soft.says} from ${format(soft.from)})`
  const spent = `${atLeast ? 'at least ' : ''}${format(used)} of ${format(of)}${marked}`
  return [name, spent, setBy ?? '', fired ? '<- ended it' : '']
}

const amounts: Readonly<Record<Bound['unit'], (value: number) => string>> = {
  count: String,
  tokens: amount,
  ms: duration,
  usd: (value) => (value > 0 && value < 0.005 ? '<$0.01' : `$${value.toFixed(2)}`),
}
