import { compareLines } from './text/compare.ts'
import type { Touched } from './text/finding.ts'
import { isSameText, linesOf } from './text/lines.ts'

/** A line that is gone, one that is new, or one in place of the other. */
export type Differing = { readonly was?: string; readonly now?: string }

/** Where two texts part, comments and layout aside. Lines that only stand elsewhere count as gone and new. */
export function differing({ before = '', after = '' }: Pick<Touched, 'before' | 'after'>): Differing[] {
  if (isSameText(before, after)) return []
  const [old, now] = [linesOf(before), linesOf(after)]
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
