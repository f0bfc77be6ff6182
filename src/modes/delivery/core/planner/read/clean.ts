const longestTitle = 120
const longestText = 20_000

// Control, direction-changing and invisible characters could make a line look like another one.
const unseen = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

// Most lines are plain already: one look is cheaper than five replacements.
const simple = /^[!-)+-;=?-^`-~](?: ?[!-)+-;=?-^`-~])*$/

/** One line of plain words: no control characters, no emphasis, no comments. */
export function cleanText(raw: string): string {
  if (simple.test(raw)) return cutText(raw, longestText)
  const plain = withoutComments(raw)
    .replace(/\s+/g, ' ')
    .replace(unseen, '')
    .replace(/\*\*|__(?=[^_]|$)/g, '')
    .trim()
  return cutText(plain.toWellFormed(), longestText)
}

export function cutText(text: string, longest: number): string {
  return text.length <= longest
    ? text
    : `${text
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`
}

/** What a story is called: the words in bold that lead a long line, or as much of it as reads in a list. */
export function extractTitle(raw: string): string {
  const text = cleanText(raw)
  if (text.length <= longestTitle) return text
  const lead = extractLead(raw)
  if (lead) return cutText(cleanText(lead), longestTitle)
  const end = text.lastIndexOf(' ', longestTitle - 1)
  return cutText(end > longestTitle / 2 ? `${text.slice(0, end)}…` : text, longestTitle)
}

/** `**Lead**: the rest` or `**Lead:** the rest`. */
function extractLead(raw: string): string | undefined {
  if (!raw.startsWith('**')) return undefined
  const end = raw.indexOf('**', 2)
  if (end < 3 || end > 200) return undefined
  return raw.slice(2, end).replace(/[:.]$/, '')
}

/** The same for texts that differ in case, marks and spaces only. */
export const sameWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** `blank` keeps the lines that a comment had. */
export function withoutComments(raw: string, blank = false): string {
  let from = raw.indexOf('<!--')
  if (from === -1) return raw
  let kept = ''
  let at = 0
  while (from !== -1) {
    kept += raw.slice(at, from)
    const end = raw.indexOf('-->', from + 4)
    if (end === -1) return kept
    at = end + 3
    if (blank) kept += raw.slice(from, at).replace(/[^\n]+/g, '')
    from = raw.indexOf('<!--', at)
  }
  return kept + raw.slice(at)
}
