import type { Hunk } from '../../../../../src/modes/writing/contract/semantic-diff.ts'
import {
  type ComputedDiff,
  computeDiff,
  type DiffInput,
  type DiffOptions,
} from '../../../../../src/modes/writing/core/diff/compute.ts'

export type Files = Readonly<Record<string, string>>

/** A level of these files: `foundation.md` leads, `chapter-03.md` is Chapter 3, a single file is the whole. */
export function makeLevel(before: Files, after: Files): DiffInput {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted((one, other) => {
    return Number(other === 'foundation.md') - Number(one === 'foundation.md') || one.localeCompare(other)
  })
  return {
    units: paths.map((path) => {
      const number = /(\d+)\.md$/.exec(path)?.[1]
      const kind = paths.length === 1 ? 'whole' : number === undefined ? 'lead' : 'part'
      const stem = path.replace(/\.\w+$/, '')
      const word = path.startsWith('kapitel') ? 'Kapitel' : 'Chapter'
      const label = number === undefined ? stem[0]!.toUpperCase() + stem.slice(1) : `${word} ${Number(number)}`
      return { path, kind, label, format: path.endsWith('.json') ? 'json' : 'markdown' }
    }),
    before: new Map(Object.entries(before)),
    after: new Map(Object.entries(after)),
  }
}

export const compareFiles = (before: Files, after: Files, options?: DiffOptions): ComputedDiff =>
  computeDiff(makeLevel(before, after), options)

/** Compares two versions of one Markdown file. */
export const compareText = (before: string, after: string, options?: DiffOptions): ComputedDiff =>
  compareFiles({ 'story.md': before }, { 'story.md': after }, options)

/** Each hunk as `place: old => new`. */
export const showHunks = ({ hunks }: { hunks: readonly Hunk[] }): readonly string[] =>
  hunks.map(
    ({ before, after, field }) => `${field ?? `${before.start}+${before.lines}`}: ${before.text} => ${after.text}`,
  )
