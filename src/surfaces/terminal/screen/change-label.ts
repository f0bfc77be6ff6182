export type Change = {
  readonly column: number
  readonly text: string
  /** What stood behind it is no longer there. */
  readonly clear: boolean
}

const isAscii = (text: string): boolean => /^[ -~]*$/.test(text)

/**
 * The smallest piece that makes one line into another. Columns are counted in ASCII alone: what any other letter
 * takes is not certain, so from the first of them on the line is written again.
 */
export function changeOf(before: string, after: string): Change | undefined {
  if (before === after) return undefined
  let start = 0
  while (start < after.length && before[start] === after[start] && isAscii(after[start]!)) start++
  // A mark that belongs on top of the letter before it cannot be written without that letter.
  if (start > 0 && !isAscii(`${before[start] ?? ''}${after[start] ?? ''}`)) start--
  const clear = { column: start, text: after.slice(start), clear: true }
  if (before.length !== after.length) return clear
  let end = after.length
  while (end > start && before[end - 1] === after[end - 1]) end--
  const piece = after.slice(start, end)
  const inPlace = isAscii(before.slice(start, end)) && isAscii(piece) && isAscii(after[end] ?? '')
  return inPlace ? { column: start, text: piece, clear: false } : clear
}
