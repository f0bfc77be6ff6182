import { amount, ticking } from '../../../show/format.ts'
import type { RefineBound } from './bounds.ts'

const cells = 8

/** `tokens [##..|...] 31%`: the mark is where a stronger model takes over. Letters alone, so that it is redrawn in place. */
export function barOf(bound: RefineBound): string {
  const { used, of, soft } = bound
  const part = of > 0 ? used / of : 1
  // What was begun shows, and only what is spent is full.
  const filled = part >= 1 ? cells : Math.min(cells - 1, Math.ceil(part * cells))
  const mark = soft === undefined ? -1 : Math.min(cells - 1, Math.floor((soft / of) * cells))
  const bar = Array.from({ length: cells }, (_, cell) => (cell === mark ? '|' : cell < filled ? '#' : '.')).join('')
  return `${names[bound.name]} [${bar}] ${bound.name === 'iterations' ? `${used}/${of}` : percentOf(bound)}`
}

/** The same for whoever hears it instead of seeing it. */
export function boundInWords({ name, used, of, soft, atLeast }: RefineBound): string {
  const least = atLeast ? 'at least ' : ''
  const marked = soft === undefined ? '' : ` (a stronger model from ${amount(soft)})`
  switch (name) {
    case 'iterations':
      return `${used} of ${of} iterations`
    case 'tokens':
      return `${least}${amount(used)} of ${amount(of)} tokens${marked}`
    case 'overhead':
      return `${amount(used)} of ${amount(of)} tokens for judging`
    case 'cost':
      return `${least}$${used.toFixed(2)} of $${of.toFixed(2)}`
    case 'time':
      return `${ticking(used)} of ${ticking(of)}`
  }
}

export const names: Readonly<Record<RefineBound['name'], string>> = {
  iterations: 'iterations',
  tokens: 'tokens',
  time: 'time',
  cost: 'cost',
  overhead: 'judging',
}

/** 99 is the most that is not all. */
function percentOf({ used, of, atLeast }: RefineBound): string {
  const part = of > 0 ? used / of : 1
  const whole = part >= 1 ? 100 : Math.min(99, Math.round(part * 100))
  return `${atLeast ? '>=' : ''}${whole}%`
}
