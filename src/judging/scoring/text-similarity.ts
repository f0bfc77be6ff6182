/** Blanks of any kind and number count as one. */
export const collapseSpaces = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ').trim()

const most = 400

/** One line, at most 400 characters, no half of a character at its end. */
export function shortenText(text: string): string {
  const line = collapseSpaces(text.slice(0, 4 * most))
  if (line.length <= most) return line
  const cut = line.slice(0, most - 1)
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

const lookedAt = 200

/** Whether a quote stands in a text that is single-spaced already. Of a long one its beginning is looked for. */
export const isQuotedFrom = (quote: string, text: string): boolean =>
  text.includes(collapseSpaces(quote.slice(0, 4 * lookedAt)).slice(0, lookedAt))

const alike = 0.6

/** Nearly the same words, in whatever order. */
export function isSameMeaning(one: string, other: string): boolean {
  const [here, there] = [splitWords(one), splitWords(other)]
  if (here.size === 0 || there.size === 0) return one === other
  return here.intersection(there).size / here.union(there).size >= alike
}

const splitWords = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.filter((word) => word.length > 2 || /\d/.test(word)),
  )
