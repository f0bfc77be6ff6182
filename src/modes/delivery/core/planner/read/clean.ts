import { withoutComments, withoutEmphasis } from './inline.ts'

const maxTitleLength = 120
const maxTextLength = 20_000

// Control, direction-changing and invisible characters can make a line look like a different one.
const unseen = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu

// Most lines are plain already: one test is cheaper than five replacements.
const simple = /^[!-)+-;=?-^`-~](?: ?[!-)+-;=?-^`-~])*$/

/** Returns the text as one line without control characters, emphasis and comments. */
export function cleanText(raw: string): string {
  if (simple.test(raw)) return cutText(raw, maxTextLength)
  const plain = withoutEmphasis(toOneLine(withoutComments(raw)))
  return cutText(plain.trim(), maxTextLength)
}

/** Returns the text as one line without control characters. */
export const toOneLine = (raw: string): string => raw.replace(/\s+/g, ' ').replace(unseen, '').toWellFormed().trim()

export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength
    ? text
    : `${text
        .slice(0, maxLength - 1)
        .toWellFormed()
        .trimEnd()}…`
}

/** Returns a title: the line itself, or if it is long its leading bold words or its beginning. */
export function extractTitle(raw: string): string {
  const text = cleanText(raw)
  if (text.length <= maxTitleLength) return text
  const lead = extractLead(raw)
  if (lead) return cutText(cleanText(lead), maxTitleLength)
  const end = text.lastIndexOf(' ', maxTitleLength - 1)
  return cutText(end > maxTitleLength / 2 ? `${text.slice(0, end)}…` : text, maxTitleLength)
}

/** `**Lead**: the rest` or `**Lead:** the rest`. */
function extractLead(raw: string): string | undefined {
  if (!raw.startsWith('**')) return undefined
  const end = raw.indexOf('**', 2)
  if (end < 3 || end > 200) return undefined
  return raw.slice(2, end).replace(/[:.]$/, '')
}

/** Normalizes case, punctuation and spaces for comparison. */
export const sameWords = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
