import type { Touched } from './finding.ts'
import { isSameRun, isSameText, type Lines, normalizeLines } from './normalize-lines.ts'

/** Removed and added lines at the same position, as indexes into the old and new text. */
export type Hunk = { readonly removed: readonly number[]; readonly added: readonly number[] }
export type Comparison = {
  readonly hunks: readonly Hunk[]
  /** For each new line its old index, or -1 if it was added. */
  readonly origin: readonly number[]
}

/**
 * Matches lines that are unique on both sides wherever they are, then their neighbours. Unlike a shortest edit script this
 * does not report reordered lines as changes, and takes linear time on any input.
 */
export function compareLines({ bare: before }: Lines, { bare: after }: Lines): Comparison {
  const target = before.map(() => -1)
  const origin = after.map(() => -1)
  const join = (i: number, j: number): void => {
    if (target[i] !== -1 || origin[j] !== -1 || before[i] !== after[j] || before[i] === undefined) return
    target[i] = j
    origin[j] = i
  }
  const places = uniquePlaces(after)
  for (const [line, i] of uniquePlaces(before)) {
    const j = places.get(line)
    if (i >= 0 && j !== undefined && j >= 0) join(i, j)
  }
  join(0, 0)
  for (let i = 0; i < before.length; i++) if (target[i] !== -1) join(i + 1, target[i]! + 1)
  join(before.length - 1, after.length - 1)
  for (let i = before.length - 1; i > 0; i--) if (target[i]! > 0) join(i - 1, target[i]! - 1)
  return { hunks: buildHunks(before, after, target, origin), origin }
}

/** Maps each line to its index, or to -1 if it occurs more than once. */
function uniquePlaces(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const [i, line] of lines.entries()) places.set(line, places.has(line) ? -1 : i)
  return places
}

function buildHunks(
  before: readonly string[],
  after: readonly string[],
  target: readonly number[],
  origin: readonly number[],
): Hunk[] {
  const news = new Map(findRuns(origin).map((run) => [run[0]!, run]))
  const hunks = findRuns(target).map((removed): Hunk => {
    const start = removed[0] === 0 ? 0 : target[removed[0]! - 1]! + 1
    const added = news.get(start) ?? []
    news.delete(start)
    return { removed, added }
  })
  const text = (lines: readonly string[], at: readonly number[]) => at.map((i) => lines[i]!)
  return [...hunks, ...[...news.values()].map((added) => ({ removed: [], added }))].filter(
    ({ removed, added }) => !isSameRun(text(before, removed), text(after, added)),
  )
}

/** Groups adjacent unmatched lines. */
function findRuns(matches: readonly number[]): number[][] {
  const runs: number[][] = []
  for (const [i, match] of matches.entries()) {
    if (match !== -1) continue
    if (i > 0 && matches[i - 1] === -1) runs.at(-1)!.push(i)
    else runs.push([i])
  }
  return runs
}

/** A removed line, an added line, or one replaced by the other. */
export type Difference = { readonly was?: string; readonly now?: string }

/** Returns the lines that differ, ignoring comments and layout. */
export function findDifferences({ before = '', after = '' }: Pick<Touched, 'before' | 'after'>): Difference[] {
  if (isSameText(before, after)) return []
  const [old, now] = [normalizeLines(before), normalizeLines(after)]
  return compareLines(old, now).hunks.flatMap(({ removed, added }) => {
    const gone = removed.map((i) => old.raw[i]!).filter(counts)
    const news = added.map((j) => now.raw[j]!).filter(counts)
    return Array.from({ length: Math.max(gone.length, news.length) }, (_, i) => ({
      ...(gone[i] !== undefined && { was: gone[i] }),
      ...(news[i] !== undefined && { now: news[i] }),
    }))
  })
}

const counts = (line: string): boolean =>
  /[^\s{}()[\],;]/.test(line) && !/^(?:\/\/|#(?![![])|\/\*|\*(?:[\s/]|$)|;|<!--)/.test(line)
