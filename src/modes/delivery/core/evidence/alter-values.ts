import { type Altering, alterAssertion, isAssertion } from './alter-assertion.ts'
import { isTestPart, type Language, nameTest, type Part, splitTests } from './languages.ts'
import { createRandom } from './other-values.ts'
import { countLines, maxReach } from './read-calls.ts'

export type Chosen = Altering & {
  readonly seed: number
  /** Each turn alters another assertion of a test; of half of the tests the first turn alters none, unless it is the only one. */
  readonly turn: number
  readonly isOnlyTurn: boolean
  /** The file is one test. */
  readonly isOne: boolean
  /** Names of tests that stay as they are. */
  readonly skips: ReadonlySet<string>
}

export type Altered = {
  readonly text: string
  /** The tests in which something changed. */
  readonly tests: readonly string[]
}

/** Alters one assertion of each test. A test without one may have its values in the rows of a table, or fails at its start. */
export function alterValues(text: string, language: Language, chosen: Chosen): Altered {
  const lines = text.split('\n')
  const edits = listSites(lines, language, chosen).flatMap(({ name, sites }, index) => {
    const isWhole = chosen.isOne || chosen.isOnlyTurn
    const turn = isWhole ? chosen.turn : chosen.turn - ((index + chosen.seed) % 2)
    const site = sites[orderSites(sites.length, chosen.seed + index)[turn] ?? -1]
    return site === undefined || chosen.skips.has(name) ? [] : [{ name, ...site }]
  })
  for (const { part, alter } of edits.toReversed()) lines.splice(part[0], part[1] - part[0], alter())
  return { text: lines.join('\n'), tests: edits.map(({ name }) => name).filter(Boolean) }
}

/** How many turns it takes to alter each assertion of a file, and to leave each test alone once. */
export function countTurns(text: string, language: Language, chosen: Chosen): number {
  const counts = listSites(text.split('\n'), language, chosen).map(({ sites }) => sites.length)
  return Math.max(0, ...counts) + (chosen.isOne ? 0 : 1)
}

type Site = { readonly part: Part; readonly alter: () => string }
type Test = { readonly name: string; readonly sites: readonly Site[] }

function listSites(lines: readonly string[], language: Language, { isOne, ...altering }: Chosen): readonly Test[] {
  const fixed = findFixed(lines, language)
  const asking = findAsking(lines)
  const asks = (index: number): boolean =>
    isAssertion.test(lines[index]!) ||
    isCondition(lines, index, language) ||
    asking.has(called.exec(lines[index]!)?.[1] ?? '')
  const parts = isOne ? [[0, lines.length] as const] : splitTests(lines, language)
  const tests = parts.filter((part) => isTestPart(lines, part, language))
  const isHead = (part: Part): boolean => tests.length > 0 && part === parts[0]
  const find = ([start, end]: Part, begins: (index: number) => boolean): readonly Site[] => {
    const sites: Site[] = []
    for (let index = start; index < end; index++) {
      const line = lines[index]!
      if (fixed.has(index) || (isKept.test(line) && !isClaim.test(line)) || !begins(index)) continue
      const to = Math.min(end, index + (isAssertion.test(lines[index]!) ? countLines(lines, index) : 1))
      const text = lines.slice(index, to).join('\n')
      if (alterAssertion(text, language, altering) === text) continue
      sites.push({ part: [index, to], alter: () => alterAssertion(text, language, altering) })
      index = to - 1
    }
    return sites
  }
  const choose = (part: Part): readonly Site[] => {
    const strong = find(part, asks)
    const weak = strong.length > 0 ? [] : find(part, (index) => isCompared.test(lines[index]!))
    const found = [...strong, ...weak]
    if (found.length > 0 || isHead(part)) return found
    // The function that a test calls last may be an assertion of the project's own.
    const nameAt = (index: number): string | undefined => isCall.exec(lines[index]!)?.[1]
    const [last] = find(part, (index) => nameAt(index) !== undefined).slice(-1)
    if (!last) return failAtStart(lines, part, language)
    return find(part, (index) => nameAt(index) === nameAt(last.part[0]))
  }
  const found = (tests.length > 0 ? tests : parts).map((part) => ({
    name: nameTest(lines, part, language),
    sites: choose(part),
  }))
  if (found.some(({ sites }) => sites.length > 0) || isOne || tests.length === 0) return found
  return [{ name: '', sites: choose(parts[0]!) }]
}

/** The names of functions of the tests that assert something for them. */
function findAsking(lines: readonly string[]): ReadonlySet<string> {
  const names = lines.flatMap((line, index) => {
    const [, name, constant, script] = (line.length > maxReach ? null : defined.exec(line)) ?? []
    if (!name && !constant && !script) return []
    const rest = lines.slice(index, index + maxBody)
    const end = rest.findIndex((other, at) => at > 0 && defined.test(other))
    const isAsking = rest
      .slice(0, end < 0 ? maxBody : end)
      .some((other) => other.length <= maxReach && (isAssertion.test(other) || isFailing.test(other)))
    return isAsking ? [name ?? constant ?? script ?? ''] : []
  })
  return new Set(names.filter((name) => name !== '' && !/^[tT]est/.test(name)))
}
const maxBody = 12
const defined =
  /\b(?:function|def|func|fn)\s+(\w+)\s*[(<]|\b(?:const|let)\s+(\w+)\s*=\s*(?:async\s*)?\(.*=>|^\s*(\w+)\s*\(\)\s*\{/
const isFailing = /\b(?:throw|raise|exit|panic!?|fail\w*)\b|\bt\.(?:Error|Fatal)/
/** The function that a line calls. */
const called = /^\s*(?:await\s+)?([\w]+)!?[\s(]/

/** The last one first: what ends a test early leaves it out. */
function orderSites(count: number, seed: number): readonly number[] {
  const random = createRandom(seed)
  const others = Array.from({ length: Math.max(0, count - 1) }, (_, index) => ({ index, by: random() }))
  return [count - 1, ...others.toSorted((one, other) => one.by - other.by).map(({ index }) => index)]
}

function failAtStart(lines: readonly string[], [start, end]: Part, { test, failAt }: Language): readonly Site[] {
  const index = lines.findIndex((line, at) => at >= start && at < end && test?.test(line))
  if (index < 0 || !failAt || failAt(lines[index]!) === lines[index]) return []
  return [{ part: [index, index + 1], alter: () => failAt(lines[index]!) }]
}

/** Lines that stay: comments, imports, the inside of texts of several lines, names of parameters. */
function findFixed(lines: readonly string[], { comment, keep, quotes = never }: Language): ReadonlySet<number> {
  let isQuoted = false
  const fixed = lines.flatMap((line, index) => {
    const wasQuoted = isQuoted
    for (const _ of line.match(quotes) ?? []) isQuoted = !isQuoted
    const isNaming = /\bparametrize\(\s*$/.test(lines[index - 1] ?? '')
    const isOpening = isQuoted && !isAssertion.test(line)
    const isStaying = wasQuoted || isOpening || isNaming || line.length > maxReach
    return isStaying || comment.test(line) || keep.test(line) ? [index] : []
  })
  return new Set(fixed)
}
const never = /(?!)/g

/** A condition after which a test fails. That nothing went wrong on the way is not what it asks. */
const isCondition = (lines: readonly string[], index: number, { condition }: Language): boolean =>
  condition?.test(lines[index]!) === true &&
  !/\berr\w* != nil \{\s*$/.test(lines[index]!) &&
  /\b\w+\.(?:Error|Fatal|Fail)/.test(lines[index + 1] ?? '')

/** A comparison, what is wanted, a row such as `{"a", 2, 3},`, `[1, 2],` or `"a": true,`, or a loop over rows. */
const isCompared = new RegExp(
  [
    String.raw`[=!]==?\s|\b(?:want|expected|wanted)\w*\b.*=\s`,
    String.raw`^\s*(?:[\w"']+:\s*)?&?(?:pytest\.param|[A-Z]\w*)?[{[(].*[\])}],?;?\s*$|^\s*["'][^"']*["']:\s[^{[(]*,$`,
    String.raw`^\s*for\b.*(?:\{\{|\[[[({])`,
  ].join('|'),
)
const isCall = /^\s*(?:await\s+)?([\w.]+)\(.*\)\s*;?$/
/** Also behind the head of a loop. */
const isClaim = /\b(?:assert(?!ions)\w*[.(!]|expect\(|assert\s)/
/** Lines that do not compare what the product returns. */
const isKept =
  /\bt\.(?:Error|Fatal|Log)|\b(?:assertions|plan|hasAssertions)\(|\b(?:fail\w*|errors)\b.*\b0\b|^\s*(?:while|return)\b|^\s*for\b(?!.*(?:\{\{|\[[[({]))/
