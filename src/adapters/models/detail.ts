/** What must not be told: keys, and what people and models wrote. */
export type Withheld = { readonly keys: readonly string[]; readonly content: readonly string[] }

/** One safe line for people. A provider may answer with anything, with our key and our prompt too. */
export function safeDetail(says: string, { keys, content }: Withheld): string {
  const line = oneLine(says.slice(0, mostRead))
  const spellings = keys.flatMap((key) => [key, Buffer.from(key).toString('base64'), encodeURIComponent(key)])
  const withoutKeys = withhold(line, spellings.map(lower), shortestKeyPart)
  const written = content.map(oneLine).map(lower)
  return withholdWords(withhold(withoutKeys, written, shortestQuote), written).slice(0, longestDetail)
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

/** A name or a number is told by a single word. Those that servers and we ourselves say of any call tell nothing. */
function withholdWords(line: string, written: readonly string[]): string {
  const isTold = (word: string): boolean => {
    const heard = lower(word)
    return heard.length < shortestWord || usual.has(heard) || !written.some((text) => text.includes(heard))
  }
  return line.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => (isTold(word) ? word : hidden)).replace(hiddenTwice, hidden)
}

const shortestWord = 4
const hiddenTwice = /\[…\](?:[ _-]?\[…\])+/g

const usual: ReadonlySet<string> = new Set(
  [
    'account api authentication balance billing busy capacity completion connection content context credit credits',
    'error errors exceeded exceeds exist exists failed field fields forbidden found gateway http image input internal invalid',
    'json large length limit limits long longer maximum message messages minute model models money most must',
    'missing organization output overloaded parameter per permission plan please prompt provider quota rate reached',
    'request requests required role route schema server service support supported system temperature temporarily text than that',
    'this timeout token tokens type unauthorized unavailable unknown unsupported upstream user value wait were with your',
    'answer bytes could followed took within redirects refused silent stopped',
  ].flatMap((words) => words.split(' ')),
)

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
