import { stripVTControlCharacters } from 'node:util'

/** Ranges of code points that move the cursor, change the terminal, or hide and reorder what stands there. */
const unsafe: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2069],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
]
const isUnsafe = (code: number): boolean => unsafe.some(([from, to]) => code >= from && code <= to)

/** Text of agents and repositories may hold terminal commands: whatever is not plain is shown, not obeyed. */
export function plainText(line: string): string {
  let plain = ''
  for (const letter of line) {
    const code = letter.codePointAt(0) ?? 0
    plain += isUnsafe(code) ? `\\u{${code.toString(16)}}` : letter
  }
  return plain
}

const longestSaid = 2000

/** What an agent says, as a piece of one line: without its colours, and of a length that costs nothing to look at. */
export function oneLine(text: string): string {
  const start = text.length > longestSaid ? `${text.slice(0, longestSaid)}…` : text
  return plainText(stripVTControlCharacters(start).replace(/\s+/g, ' ').trim())
}
