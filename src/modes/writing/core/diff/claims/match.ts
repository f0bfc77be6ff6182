import { collapseSpaces } from '../../../../../judging/scoring/text-similarity.ts'
import { listWords } from '../text/words.ts'

/** A pattern that matches whole words only, in any script. */
export const wordPattern = (words: string): string => `(?<![\\p{L}\\p{N}])(?:${words})(?![\\p{L}\\p{N}])`

/** A pattern for exactly this text. */
export const escapePattern = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Compiled patterns: those of the lexicon are used for each clause. */
const compiled = new Map<string, RegExp>()

/** `words` must be words of the lexicon. */
export function hasWord(text: string, words: string): boolean {
  const pattern = compiled.get(words) ?? new RegExp(wordPattern(words), 'iu')
  compiled.set(words, pattern)
  return pattern.test(text)
}

/** A text for comparing quotes: one kind of quotes, dashes and blanks, and no marks of Markdown. */
export const plainText = (text: string): string =>
  collapseSpaces(
    text
      .normalize('NFC')
      .replace(/[“”„«»‟〝〞]/g, '"')
      .replace(/[‘’‚‛`´]/g, "'")
      .replace(/[‐‑‒–—―−]/g, '-')
      .replaceAll('…', '...')
      .replace(/[*_]{1,3}/g, '')
      .replace(/\\(["\\/])/g, '$1'),
  )

/** True if the text contains the quote. An ellipsis in a quote stands for anything. */
export function containsQuote(text: string, quote: string): boolean {
  const parts = plainText(quote)
    .toLowerCase()
    .split(/\s*\[?\.\.\.\]?\s*/)
    .map((part) => part.replace(/^["']+|["'.,;:!?]+$/g, '').trim())
    .filter((part) => part !== '')
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return parts.length > 0
}

/** A word without its usual endings, so that `letter` and `letters`, `Brief` and `Briefe` are the same. */
export function stemWord(word: string): string {
  const plain = word.toLowerCase().replace(/['’]s$/, '')
  return plain.length < 5
    ? plain.replace(/(?<=\p{L}{3})s$/u, '')
    : plain.replace(/(?:ings?|ed|es|en|ern|er|em|s|n|e)$/u, '')
}

/** Words that say nothing alone. */
const empty = new Set(
  `the a an and or but of to in on at by for with from as is are was were be been has have had it its he she they his her their him them
  this that these those not no who which what when where while than then now into out up down over more most some any each one only also
  no longer there here der die das den dem des ein eine einen einem einer und oder aber in im am an auf aus bei mit nach von vor zu zum zur
  ist sind war waren wird wurde hat haben er sie es sein seine ihr ihre nicht kein keine als wie auch noch nur mehr wenn dass sich man`.split(
    /\s+/,
  ),
)

/** The stems of the words that carry a meaning. */
export const listStems = (text: string): readonly string[] =>
  listWords(text)
    .filter((word) => !empty.has(word) && (word.length > 2 || /\d/.test(word)))
    .map(stemWord)
