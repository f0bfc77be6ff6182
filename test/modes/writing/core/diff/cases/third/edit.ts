import type { DiffLabels } from '../../../../../../../src/modes/writing/contract/diff-labels.ts'
import { conclude, type Finder } from '../case.ts'

/** Replaces each passage, which must occur exactly once. */
export function edit(text: string, ...pairs: readonly (readonly [string, string])[]): string {
  return pairs.reduce((now, [from, to]) => {
    if (now.split(from).length !== 2) throw new Error(`not exactly once: ${from}`)
    return now.replace(from, () => to)
  }, text)
}

/** The hunks with these words, each once. */
export const pick = (hunk: Finder, ...words: readonly string[]): string[] => [...new Set(words.map(hunk))]

/** The same reply with other words about its impact. */
export const affect = (base: DiffLabels, said: Partial<DiffLabels['impact']>): DiffLabels =>
  conclude(base, { impact: { ...base.impact, ...said } })
