/** One line of the table. A ratio is subject over anchor, so less is better. */
export type Line = {
  readonly row: string
  readonly subject: string
  readonly anchor: string
  readonly ratio: number | null
  /** The smallest and the largest of the repetitions. */
  readonly spread: readonly [number, number] | null
  readonly bound: Bound | null
  /** What the subject has made safe when it is done: against what it is compared must be known. */
  readonly durability: string
  /** What else was found, in words. */
  readonly figures: string
}

/** `value` may be the ratio itself or something else that was measured beside it. */
export type Bound = { readonly value: number; readonly most: number; readonly unit: 'x' | 'ms' | 'MB' }

export type Bench = {
  /** Removed when all rows are done. */
  readonly scratch: string
  readonly signal: AbortSignal
  /** The folder of a run with a journal of 1M events, written when it is first asked for. */
  readonly journal: () => Promise<string>
}

export type Row = (bench: Bench) => Promise<Line[]>
