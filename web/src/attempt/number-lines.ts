import type { DiffLine } from '../../../src/contract/show.ts'

/** A line of a diff without its sign, and its number in the old and in the new file. */
export type NumberedLine = {
  readonly kind: DiffLine['kind']
  readonly before: number | null
  readonly after: number | null
  readonly text: string
}

const hunkHeading = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/

/** Counts from the heading of each hunk. The first heading is left out if the file begins there. */
export function numberLines(lines: readonly DiffLine[]): readonly NumberedLine[] {
  let [before, after] = [1, 1]
  return lines.flatMap(({ kind, text }): readonly NumberedLine[] => {
    if (kind === 'hunk') {
      const [, old, , now, , heading = ''] = hunkHeading.exec(text) ?? []
      before = Number(old ?? 1)
      after = Number(now ?? 1)
      const isStart = before <= 1 && after <= 1 && heading === ''
      return isStart ? [] : [{ kind, before: null, after: null, text: heading === '' ? '⋯' : `⋯ ${heading}` }]
    }
    if (kind === 'name' || text.startsWith('\\')) return [{ kind, before: null, after: null, text }]
    const numbers = { before: kind === 'added' ? null : before, after: kind === 'removed' ? null : after }
    if (kind !== 'added') before += 1
    if (kind !== 'removed') after += 1
    return [{ kind, ...numbers, text: text.slice(1) }]
  })
}

/** Whether the file was not there before. */
export const isAdded = (lines: readonly DiffLine[]): boolean => (lines[0]?.text ?? '').startsWith('@@ -0,0 ')
export const isRemoved = (lines: readonly DiffLine[]): boolean => /^@@ -\S+ \+0,0 /.test(lines[0]?.text ?? '')
