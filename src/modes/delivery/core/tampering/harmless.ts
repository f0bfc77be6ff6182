import { linesOf } from './text/lines.ts'
import type { Line } from './text/read.ts'

/** Tells of a line whether it only became more than it was: an import of more, a test that waits now. */
export function harmlessAmong(news: readonly Line[]): (line: Line) => boolean {
  const waiting = new Set(news.map(withoutWaiting))
  const imports = news.filter(isImport).slice(0, mostImports).map(wordsOf)
  // An import that is wrapped now: its names stand on lines of their own.
  if (imports.length > 0) imports.push(new Set(news.slice(0, 200).flatMap((line) => [...wordsOf(line)])))
  return (line) => waiting.has(line.bare) || (isImport(line) && imports.some((now) => isWider(wordsOf(line), now)))
}

const mostImports = 50
const isImport = ({ raw }: Line): boolean => /^(?:import|from|use|using)\b|^const \{[^}]*\} = require\(/.test(raw)
const wordsOf = ({ raw }: Line): ReadonlySet<string> => new Set(raw.slice(0, 2000).match(/[\w$@./-]+/g))

// Whoever imports something under the name of another brings a stand-in.
const isWider = (known: ReadonlySet<string>, now: ReadonlySet<string>): boolean =>
  known.isSubsetOf(now) && (known.has('as') || !now.has('as'))

const withoutWaiting = ({ raw }: Line): string => linesOf(raw.replace(/\b(?:async|await)\s/g, '')).bare[0]!
