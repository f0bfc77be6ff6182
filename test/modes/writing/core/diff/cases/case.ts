import type { ChangeLabel, DiffLabels } from '../../../../../../src/modes/writing/contract/diff-labels.ts'
import type { Files } from '../level.ts'

/** Returns the id of the only hunk whose old or new text contains these words; `of` lists all hunks of a file. */
export type Finder = ((words: string) => string) & { readonly of: (path: string) => string[] }

/** A whole reply, made from the honest one of its fixture. */
export type Reply = (base: DiffLabels, hunk: Finder) => DiffLabels

/** Two versions of a level, an honest reply about them, and replies that change something of it. */
export type Fixture = {
  readonly name: string
  readonly before: Files
  readonly after: Files
  readonly base: (hunk: Finder) => DiffLabels
  /** Each says one thing that is not true. */
  readonly lies: Readonly<Record<string, Reply>>
  /** Each says the truth in other words. */
  readonly honest: Readonly<Record<string, Reply>>
}

type Said = Pick<
  ChangeLabel,
  'id' | 'hunks' | 'units' | 'type' | 'magnitude' | 'title' | 'summary' | 'before' | 'after'
> &
  Partial<ChangeLabel>

export const change = (said: Said): ChangeLabel => ({
  evidence: [],
  facts: [],
  locator: '',
  why: '',
  depends_on: [],
  ripple_of: null,
  ...said,
})

/** The same reply with other words about one change. */
export const revise = (base: DiffLabels, id: string, said: Partial<ChangeLabel>): DiffLabels => ({
  ...base,
  changes: base.changes.map((one) => (one.id === id ? { ...one, ...said } : one)),
})

/** The same reply with other words about the whole. */
export const conclude = (base: DiffLabels, said: Partial<Omit<DiffLabels, 'changes'>>): DiffLabels => ({
  ...base,
  ...said,
})

/** The same reply with one more change. */
export const add = (base: DiffLabels, said: Said): DiffLabels => ({ ...base, changes: [...base.changes, change(said)] })
