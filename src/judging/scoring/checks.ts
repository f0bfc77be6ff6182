import type { Rubric } from '../../contract/rubric.ts'
import { collapseSpaces } from './text-similarity.ts'

/** Returns each failed check with its figures. Omits the words themselves, which are private content. */
export function findFailedChecks(text: string, checks: Rubric['checks']): readonly string[] {
  if (Object.keys(checks).length === 0) return []
  const { leastWords, mostWords, headings = [], banned = [], mostRepeats, json } = checks
  const words = collapseSpaces(text).toLowerCase()
  const starts = findStarts(words)
  const missing = headings.length === 0 ? 0 : countMissingHeadings(text, headings)
  const found = banned.reduce((sum, phrase) => sum + countTimes(words, collapseSpaces(phrase).toLowerCase()), 0)
  const repeats = mostRepeats === undefined ? 0 : countRepeats(words, starts)
  return [
    ...(leastWords !== undefined && starts.length < leastWords ? [`words ${starts.length} < ${leastWords}`] : []),
    ...(mostWords !== undefined && starts.length > mostWords ? [`words ${starts.length} > ${mostWords}`] : []),
    ...(missing > 0 ? [`headings missing ${missing} of ${headings.length}`] : []),
    ...(found > 0 ? [`banned words ${found}`] : []),
    ...(mostRepeats !== undefined && repeats > mostRepeats ? [`repeats ${repeats} > ${mostRepeats}`] : []),
    ...(json && !isJson(text) ? ['no JSON'] : []),
  ]
}

/** Returns the start of each word in a single-spaced text. */
function findStarts(words: string): readonly number[] {
  if (words === '') return []
  const starts = [0]
  for (let at = words.indexOf(' '); at >= 0; at = words.indexOf(' ', at + 1)) starts.push(at + 1)
  return starts
}

/** Compares Markdown headings of any depth without case, number and colon. Ignores code blocks. */
function countMissingHeadings(text: string, wanted: readonly string[]): number {
  const there = new Set<string>()
  let fence = ''
  for (const [, mark = '', heading = ''] of text.matchAll(headingOrFence)) {
    if (mark !== '' && (fence === '' || mark.startsWith(fence))) fence = fence === '' ? mark : ''
    else if (fence === '' && heading !== '') there.add(headingName(heading))
  }
  return wanted.filter((heading) => !there.has(headingName(heading))).length
}

const headingOrFence = /^ {0,3}(?:(`{3,}|~{3,})|#{1,6}[ \t]([^\n]{1,300}))/gm

const headingName = (line: string): string =>
  collapseSpaces(line)
    .replace(/^[\d.]{1,20}\)? /, '')
    .replace(/[ #:]{1,300}$/, '')
    .toLowerCase()

/** Counts matches of the phrase at word boundaries. */
function countTimes(words: string, phrase: string): number {
  if (phrase === '') return 0
  let times = 0
  for (let at = words.indexOf(phrase); at >= 0; at = words.indexOf(phrase, at + phrase.length)) {
    const end = at + phrase.length
    if (!isInsideWord(words[at - 1], phrase[0]) && !isInsideWord(phrase.at(-1), words[end])) times += 1
  }
  return times
}

const isInsideWord = (one: string | undefined, other: string | undefined): boolean => isLetter(one) && isLetter(other)
const isLetter = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}]/u.test(character)

const runLength = 8

/** Returns how often the most frequent run of eight words occurs. */
function countRepeats(words: string, starts: readonly number[]): number {
  const seen = new Map<string, { times: number }>()
  let most = 0
  for (let first = 0; first + runLength <= starts.length; first++) {
    const run = words.slice(starts[first], (starts[first + runLength] ?? words.length + 1) - 1)
    const before = seen.get(run)
    if (before) before.times += 1
    else seen.set(run, { times: 1 })
    most = Math.max(most, before?.times ?? 1)
  }
  return most
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
