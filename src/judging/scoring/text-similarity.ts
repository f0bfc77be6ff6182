/** Replaces each run of whitespace with one space. */
export const collapseSpaces = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim()

const maxLength = 400

/** Shortens text to one line of at most 400 characters, without splitting a surrogate pair. */
export function shortenText(text: string): string {
  const line = collapseSpaces(text.slice(0, 4 * maxLength))
  if (line.length <= maxLength) return line
  const cut = line.slice(0, maxLength - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

const maxQuoteLength = 200

/** True if a single-spaced text contains the quote. Only the beginning of a long quote is compared. */
export const isQuotedFrom = (quote: string, text: string): boolean =>
  text.includes(collapseSpaces(quote.slice(0, 4 * maxQuoteLength)).slice(0, maxQuoteLength))

const minOverlap = 0.6

/** True if both texts use nearly the same words, in any order. */
export function isSameMeaning(one: string, other: string): boolean {
  const [here, there] = [splitWords(one), splitWords(other)]
  if (here.size === 0 || there.size === 0) return one === other
  return here.intersection(there).size / here.union(there).size >= minOverlap
}

const splitWords = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter((word) => word.length > 2 || /\d/.test(word)),
  )
