import { type Comparison, compareLines } from './compare.ts'
import type { Language } from './languages.ts'
import { type Lines, linesOf, withoutQuoted } from './lines.ts'

/** A line as it stands, as it is compared, and as it is understood: without what it quotes. */
export type Line = { readonly raw: string; readonly bare: string; readonly code: string }

export type Read = {
  readonly language: Language
  readonly before: readonly Line[]
  readonly after: readonly Line[]
  readonly comparison: Comparison
}

export function readBoth(language: Language, before: string, after: string): Read {
  const [old, now] = [linesOf(before), linesOf(after)]
  return { language, before: understood(old), after: understood(now), comparison: compareLines(old, now) }
}

export const readLines = (text: string): Line[] => understood(linesOf(text))

const understood = ({ raw, bare }: Lines): Line[] =>
  raw.map((line, i) => ({ raw: line, bare: bare[i]!, code: withoutQuoted(line).replace(/\s+/g, ' ') }))
