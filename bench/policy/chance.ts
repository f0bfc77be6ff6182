/** Random numbers by name: the same seed and names always give the same number, so that all rules get the same luck. */
export type Chance = {
  /** Uniform from 0 to 1. */
  readonly even: (...names: readonly number[]) => number
  /** From a normal distribution with mean 0 and standard deviation 1. */
  readonly bell: (...names: readonly number[]) => number
}

export function chanceOf(seed: number): Chance {
  const even = (...names: readonly number[]): number => {
    let state = seed | 0
    for (const name of names) state = mixed(state ^ Math.imul(name + 1, 0x9e3779b1))
    return mixed(state + 0x7f4a7c15) / 2 ** 32
  }
  const bell = (...names: readonly number[]): number =>
    Math.sqrt(-2 * Math.log(1 - even(...names, 1))) * Math.cos(2 * Math.PI * even(...names, 2))
  return { even, bell }
}

/** Mixes bits: each input bit changes half of the output bits. */
function mixed(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
