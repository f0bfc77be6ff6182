/** One line of the table. A ratio is subject divided by anchor, so lower is better. */
export type Line = {
  readonly row: string
  readonly subject: string
  readonly anchor: string
  readonly ratio: number | null
  /** The minimum and maximum of the repetitions. */
  readonly spread: readonly [number, number] | null
  readonly bound: Bound | null
  /** How durable the subject's data is when it is done, so that the comparison is fair. */
  readonly durability: string
  /** Remarks. */
  readonly figures: string
}

/** `value` may be the ratio itself or another measured value. */
export type Bound = { readonly value: number; readonly most: number; readonly unit: 'x' | 'ms' | 'MB' }

export type Bench = {
  /** Removed when all rows are done. */
  readonly scratch: string
  readonly signal: AbortSignal
  /** Returns the folder of a run with a journal of 1M events, written on first use. */
  readonly journal: () => Promise<string>
}

export type Row = (bench: Bench) => Promise<Line[]>
