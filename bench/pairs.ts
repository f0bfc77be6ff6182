/** The times of subject and anchor in one turn, in the same unit. */
export type Pair = { readonly subject: number; readonly anchor: number }

export type Compared = {
  readonly ratio: number
  readonly spread: readonly [number, number]
  /** Separate medians, for people; only ratios and differences are compared. */
  readonly subject: number
  readonly anchor: number
  readonly difference: number
}

/** Returns the median of the paired ratios. A slow moment hits both of a pair, so it cancels out. */
export function compare(pairs: readonly Pair[]): Compared {
  const ratios = pairs.map(({ subject, anchor }) => subject / anchor)
  return {
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    subject: median(pairs.map(({ subject }) => subject)),
    anchor: median(pairs.map(({ anchor }) => anchor)),
    difference: median(pairs.map(({ subject, anchor }) => subject - anchor)),
  }
}

/** Measures in turns: subject, anchor, subject, anchor, ... after one warm-up turn. */
export async function takeTurns(
  times: number,
  subject: () => Promise<number>,
  anchor: () => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = []
  for (let turn = 0; turn <= times; turn++) pairs.push({ subject: await subject(), anchor: await anchor() })
  return pairs.slice(1)
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length / 2
  return Number.isInteger(middle) ? (sorted[middle - 1]! + sorted[middle]!) / 2 : sorted[Math.floor(middle)]!
}
