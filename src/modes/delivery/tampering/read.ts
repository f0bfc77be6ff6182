import { type Comparison, compareLines } from './compare.ts'
import type { Language } from './languages.ts'
import { linesOf, withoutQuoted } from './lines.ts'

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
  return { language, before: readLines(before), after: readLines(after), comparison: compareLines(old, now) }
}

export function readLines(text: string): Line[] {
  const { raw, bare } = linesOf(text)
  return raw.map((line, i) => ({ raw: line, bare: bare[i]!, code: withoutQuoted(line).replace(/\s+/g, ' ') }))
}
