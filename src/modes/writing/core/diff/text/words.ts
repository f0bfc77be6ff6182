// Written by hand because it reads whole novels: a regular expression takes several times as long.

/** Counts words in any script. `don't` and `well-known` are one word each; each character of Chinese and Japanese is one. */
export function countWords(text: string): number {
  let count = 0
  let inWord = false
  for (let at = 0; at < text.length; at++) {
    const kind = classify(text, at)
    if (kind === letter) {
      if (!inWord) count += 1
      inWord = true
    } else if (kind === sign) {
      count += 1
      inWord = false
    } else if (kind === joiner) inWord = inWord && at + 1 < text.length && classify(text, at + 1) === letter
    else inWord = false
  }
  return count
}

/** Lists the words in lower case, in order. */
export const listWords = (text: string): readonly string[] => text.toLowerCase().match(word) ?? []

const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’‑-][\p{L}\p{M}\p{N}]+)*/gu

const [unknown, letter, sign, joiner, other] = [0, 1, 2, 3, 4]

/** The kind of each code unit that was seen. It only saves time. */
const kinds = new Uint8Array(65536)

function classify(text: string, at: number): number {
  const code = text.charCodeAt(at)
  const known = kinds[code]!
  if (known !== unknown) return known
  // Both halves of a character beyond 16 bits: most are letters of old scripts or Chinese; emoji are neither.
  if (code >= 0xd800 && code <= 0xdfff) return classifyPair(text, at, code)
  const kind = classifyCharacter(text[at]!)
  kinds[code] = kind
  return kind
}

function classifyPair(text: string, at: number, code: number): number {
  const start = code >= 0xdc00 ? at - 1 : at
  const kind = classifyCharacter(String.fromCodePoint(text.codePointAt(Math.max(start, 0))!))
  // The second half belongs to the first.
  return kind === sign && start < at ? other : kind
}

function classifyCharacter(character: string): number {
  if (/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(character)) return sign
  if (/[\p{L}\p{M}\p{N}]/u.test(character)) return letter
  return /['’‑-]/.test(character) ? joiner : other
}
