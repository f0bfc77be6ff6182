/** Texts that must not be shown: keys, and what people and models wrote. */
export type Withheld = { readonly keys: readonly string[]; readonly content: readonly string[] }

/** Returns one safe line for people. A provider's error may contain anything, even our key and our prompt. */
export function safeDetail(says: string, { keys, content }: Withheld): string {
  const line = oneLine(says.slice(0, maxRead))
  const encodings = keys.flatMap((key) => [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)])
  const withoutKeys = withhold(line, encodings.map(lower), minKeyPart)
  const written = content.map(oneLine).map(lower)
  return withholdWords(withhold(withoutKeys, written, minQuote), written).slice(0, maxDetail)
}

const maxDetail = 300
const maxRead = 1200
/** A shorter part of a key is useless. */
const minKeyPart = 6
/** A shorter match may be a coincidence. */
const minQuote = 12

const lower = (text: string): string => text.toLowerCase()

/** Replaces control characters, bidi marks and line breaks with spaces. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

/** Hides every part of at minLength `minLength` characters that is also part of a secret. */
function withhold(line: string, secrets: readonly string[], minLength: number): string {
  const lowered = lower(line)
  // Lower case can be longer than the original text, and then the offsets would not match.
  if (lowered.length !== line.length) return withhold(lowered, secrets, minLength)
  const known = secrets.filter((secret) => secret !== '')
  const shown: string[] = []
  for (let at = 0; at < line.length; ) {
    const length = longestMatch(lowered, at, known, minLength)
    if (length === 0) shown.push(line[at]!)
    else if (shown.at(-1) !== hidden) shown.push(hidden)
    at += Math.max(1, length)
  }
  return shown.join('')
}

const hidden = '[…]'

/** Hides single words from the content, since a name or a number is one word. Common words of error messages stay. */
function withholdWords(line: string, written: readonly string[]): string {
  const isSafe = (word: string): boolean => {
    const lowered = lower(word)
    return lowered.length < minWordLength || commonWords.has(lowered) || !written.some((text) => text.includes(lowered))
  }
  return line.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (isSafe(word) ? word : hidden)).replace(hiddenTwice, hidden)
}

const minWordLength = 4
const hiddenTwice = /\[…\](?:[ _-]?\[…\])+/g

const commonWords: ReadonlySet<string> = new Set(
  [
    'account api authentication balance billing busy capacity completion connection content context credit credits',
    'error errors exceeded exceeds exist exists failed field fields forbidden found gateway http image input internal invalid',
    'json large length limit limits long longer maximum message messages minute model models money most must',
    'missing organization output overloaded parameter per permission plan please prompt provider quota rate reached',
    'request requests required role route schema server service support supported system temperature temporarily text than that',
    'this timeout token tokens type unauthorized unavailable unknown unsupported upstream user value wait were with your',
    'answer bytes could followed took within redirects refused silent stopped response from',
  ].flatMap((words) => words.split(' ')),
)

function longestMatch(lowered: string, at: number, secrets: readonly string[], minLength: number): number {
  let longest = 0
  for (const secret of secrets) {
    let length = Math.min(minLength, secret.length)
    if (at + length > lowered.length || !secret.includes(lowered.slice(at, at + length))) continue
    while (at + length < lowered.length && secret.includes(lowered.slice(at, at + length + 1))) length++
    longest = Math.max(longest, length)
  }
  return longest
}
