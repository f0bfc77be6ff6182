/** Chance by name: the same seed and the same names give the same number, whoever asks first. So rules that are compared meet the same luck. */
export type Chance = {
  /** From 0 to 1, evenly. */
  readonly even: (...names: readonly number[]) => number
  /** Of a bell curve around 0 with a standard deviation of 1. */
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

/** Each bit of what comes in moves half of the bits of what goes out. */
function mixed(value: number): number {
  let state = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35)
  return (state ^ (state >>> 16)) >>> 0
}
