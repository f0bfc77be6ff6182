import { articles } from './lexicon.ts'
import { plainText, stemWord } from './match.ts'

/** How often each stem occurs in a text. */
export type WordCounts = ReadonlyMap<string, number>

const word = /[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu

export function countStems(text: string): WordCounts {
  const counts = new Map<string, number>()
  const stems = new Map<string, string>()
  for (const one of text.match(word) ?? []) {
    const stem = stems.get(one) ?? stemWord(one)
    stems.set(one, stem)
    counts.set(stem, (counts.get(stem) ?? 0) + 1)
  }
  return counts
}

/** How words are written in a text: in small letters somewhere, and with an article before them somewhere. */
export type Spellings = { readonly small: ReadonlySet<string>; readonly articled: ReadonlySet<string> }

export function listSpellings(texts: readonly string[]): Spellings {
  const isArticle = new Set(articles.split('|'))
  const [small, articled] = [new Set<string>(), new Set<string>()]
  for (const text of texts) {
    let last = ''
    for (const one of text.match(word) ?? []) {
      const lower = one.toLowerCase()
      if (one === lower) small.add(lower)
      if (isArticle.has(last)) articled.add(lower)
      last = lower
    }
  }
  return { small, articled }
}

/** A name is always written with a capital, and never has an article before it. */
export const isName = (one: string, { small, articled }: Spellings): boolean =>
  /^\p{Lu}/u.test(one) && !small.has(one.toLowerCase()) && !articled.has(one.toLowerCase())

/** A text for searching quotes. */
export const makeSearchable = (text: string): string => plainText(text).toLowerCase()
