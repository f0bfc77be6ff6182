/** Abbreviations whose dot does not end a sentence. Single letters and short numbers ("J. Smith", "3. Mai") need no entry. */
const abbreviations: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st sr jr vs capt col gen lt sgt rev hon fr hr nr bzw ca vgl usw bspw ggf evtl sog str abs art mme mlle'.split(
    ' ',
  ),
)

type Part = { readonly from: number; readonly to: number }

/**
 * Splits a part of a text into sentences, without the whitespace between them. A wrong guess is harmless: it only makes a sentence
 * longer or shorter. Linear time, however hostile the text.
 */
export function splitSentences(text: string, from: number, to: number): Part[] {
  const sentences: Part[] = []
  let start = skipSpaces(text, from, to)
  for (let at = start; at < to; ) {
    if (!isEnd(text[at]!)) {
      at += 1
      continue
    }
    let end = at + 1
    while (end < to && (isEnd(text[end]!) || isCloser(text[end]!))) end += 1
    const next = skipSpaces(text, end, to)
    if (next < to && (endsSentence(text, at, end, next) || isWideEnd(text[at]!))) {
      sentences.push({ from: start, to: end })
      start = next
    }
    at = Math.max(next, end)
  }
  const last = trimEnd(text, start, to)
  if (last > start) sentences.push({ from: start, to: last })
  return sentences
}

const isEnd = (character: string): boolean => '.!?…。！？'.includes(character)
const isWideEnd = (character: string): boolean => '。！？'.includes(character)
const isCloser = (character: string): boolean => `"'”’»«“)]*_」』`.includes(character)

const longestAbbreviation = 5

/** `at` is the first mark, `end` the position after the marks, `next` the next sentence if this is an end. */
function endsSentence(text: string, at: number, end: number, next: number): boolean {
  if (next === end || /\p{Ll}/u.test(text[next]!)) return false
  if (text[at] !== '.' || end > at + 1) return true
  const before = /[\p{L}\p{N}]+$/u.exec(text.slice(Math.max(0, at - longestAbbreviation - 1), at))?.[0] ?? ''
  if (/^(?:\p{L}|\p{N}{1,2})$/u.test(before)) return false
  return !abbreviations.has(before.toLowerCase())
}

function skipSpaces(text: string, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(text.charCodeAt(at))) at += 1
  return at
}

function trimEnd(text: string, from: number, to: number): number {
  let at = to
  while (at > from && isSpace(text.charCodeAt(at - 1))) at -= 1
  return at
}

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0xa0 || code === 0x3000
