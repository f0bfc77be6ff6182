import { stripVTControlCharacters } from 'node:util'

/** Code points that move the cursor, control the terminal, or hide or reorder text. */
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

/** Escapes control characters, because text of agents and repositories may contain terminal commands. */
export function plainText(line: string): string {
  let plain = ''
  for (const letter of line) {
    const code = letter.codePointAt(0) ?? 0
    plain += isUnsafe(code) ? `\\u{${code.toString(16)}}` : letter
  }
  return plain
}

const maxLength = 2000

/** Turns agent output into one line: without colours and line breaks, cut at 2000 characters. */
export function oneLine(text: string): string {
  const start = text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  return plainText(stripVTControlCharacters(start).replace(/\s+/g, ' ').trim())
}
