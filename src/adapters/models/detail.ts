/** What must not be told: keys, and what people and models wrote. */
export type Withheld = { readonly keys: readonly string[]; readonly content: readonly string[] }

/** One safe line for people. A provider may answer with anything, with our key and our prompt too. */
export function safeDetail(says: string, { keys, content }: Withheld): string {
  const line = oneLine(says.slice(0, mostRead))
  const spellings = keys.flatMap((key) => [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)])
  const withoutKeys = withhold(line, spellings.map(lower), shortestKeyPart)
  return withhold(withoutKeys, content.map(oneLine).map(lower), shortestQuote).slice(0, longestDetail)
}

const longestDetail = 300
const mostRead = 1200
/** A part of a key that is shorter opens nothing. */
const shortestKeyPart = 6
/** What is shorter may well be anybody's words. */
const shortestQuote = 12

const lower = (text: string): string => text.toLowerCase()

/** Whatever could move a cursor or turn text round becomes a space. */
const oneLine = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()

/** Every stretch of at least `least` characters that also stands in one of the secrets is left out. */
function withhold(line: string, secrets: readonly string[], least: number): string {
  const heard = lower(line)
  // Lower case can be longer than the text it comes from: then places would not fit.
  if (heard.length !== line.length) return withhold(heard, secrets, least)
  const known = secrets.filter((secret) => secret !== '')
  const shown: string[] = []
  for (let at = 0; at < line.length; ) {
    const length = longestKnown(heard, at, known, least)
    if (length === 0) shown.push(line[at]!)
    else if (shown.at(-1) !== hidden) shown.push(hidden)
    at += Math.max(1, length)
  }
  return shown.join('')
}

const hidden = '[…]'

function longestKnown(heard: string, at: number, secrets: readonly string[], least: number): number {
  let longest = 0
  for (const secret of secrets) {
    let length = Math.min(least, secret.length)
    if (at + length > heard.length || !secret.includes(heard.slice(at, at + length))) continue
    while (at + length < heard.length && secret.includes(heard.slice(at, at + length + 1))) length++
    longest = Math.max(longest, length)
  }
  return longest
}
