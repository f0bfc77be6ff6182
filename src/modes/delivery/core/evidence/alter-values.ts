import { isPartOf, type Language, type Part, splitTests } from './languages.ts'
import { alterValue, createRandom, type Random } from './other-values.ts'

type Chosen = {
  readonly seed: number
  readonly turn: number
  readonly isOne: boolean
  readonly namesFile: (text: string) => boolean
  readonly random: Random
}

/** Alters one assertion of each test. A test without one may have its values in the rows of a table. */
export function alterValues(
  text: string,
  language: Language,
  { random, seed, turn, isOne, namesFile }: Chosen,
): string {
  const lines = text.split('\n')
  const fixed = findFixed(lines, language)
  const alter = (index: number): string => alterLine(lines[index]!, random, namesFile)
  const altered = [...lines]
  const isOf = (pattern: RegExp) => (index: number) => pattern.test(lines[index]!) && alter(index) !== lines[index]
  const choose = ([start, end]: Part, isHead = false): number | undefined => {
    const indexes = Array.from({ length: end - start }, (_, at) => start + at)
    const open = indexes.filter((index) => !fixed.has(index) && !isNegative.test(lines[index]!))
    const strong = open.filter(isOf(isAssertion))
    const weak = strong.length > 0 ? strong : open.filter(isOf(isCompared))
    // The last call of a test may be an assertion of the project's own.
    const chosen = weak.length > 0 || isHead ? weak : open.filter(isOf(isCall)).slice(-1)
    const first = Math.floor(createRandom(seed + start)() * chosen.length)
    return chosen[(first + turn) % chosen.length]
  }
  const parts = isOne ? [[0, lines.length] as const] : splitTests(lines, language)
  const tests = parts.filter((part) => isPartOf(language.test, lines, part))
  const chosen = tests.flatMap((part) => choose(part) ?? [])
  // A table may stand before the tests. Other lines there prepare them, and stay.
  for (const index of chosen.length > 0 ? chosen : [choose(parts[0]!, tests.length > 0)])
    if (index !== undefined) altered[index] = alter(index)
  return altered.join('\n')
}

/** Lines that stay: comments, imports, texts of several lines, names of parameters. */
function findFixed(lines: readonly string[], { comment, keep, quotes = never }: Language): ReadonlySet<number> {
  let isQuoted = false
  const fixed = lines.flatMap((line, index) => {
    const wasQuoted = isQuoted
    for (const _ of line.match(quotes) ?? []) isQuoted = !isQuoted
    const isNaming = /\bparametrize\(\s*$/.test(lines[index - 1] ?? '')
    return wasQuoted || isQuoted || isNaming || comment.test(line) || keep.test(line) ? [index] : []
  })
  return new Set(fixed)
}
const never = /(?!)/g

const isAssertion = new RegExp(
  [
    String.raw`\b(?:assert|expect|refute)\w*(?:[.!]\w*)*\s*\(|^\s*assert\b|\b(?:check|verify|require|must)(?:\.\w+)?\s*\(|\.should\b`,
    String.raw`\b(?:EXPECT|ASSERT|CHECK|REQUIRE)_?\w*\(|\bt\.(?:is|equal|deepEqual|same|like)\(|\bpytest\.raises\(|^\s*(?:is|is_deeply|like|cmp_ok)\s*\(`,
    String.raw`(?:^|[\s;(&|!])(?:\[\[?|test|grep|diff|cmp|expr)\s`,
  ].join('|'),
)
/** A comparison, what is wanted, or a row such as `{"a", 2, 3},`, `[1, 2],` or `"a": true,`. */
const isCompared = new RegExp(
  [
    String.raw`[=!]==?\s|\b(?:want|expected|wanted)\w*\b.*=\s`,
    String.raw`^\s*(?:[\w"']+:\s*)?&?(?:pytest\.param|[A-Z]\w*)?[{[(].*[\])}],?;?\s*$|^\s*["'][^"']*["']:\s[^{[(]*,$`,
  ].join('|'),
)
const isCall = /^\s*(?:await\s+)?[\w.]+\(.*\)\s*;?$/
/** Lines that would hold with another value as well, or that do not compare what the product returns. */
const isNegative =
  /\.not\.|[nN]ot(?:[A-Z]\w*)?\(|doesNot|CloseTo|Greater|Less|\bt\.(?:Error|Fatal|Log)|\b(?:assertions|plan)\(|\b(?:fail\w*|errors)\b.*\b0\b|^\s*(?:for|while|return)\b/

/** `[]` and `{}` are values where a list or an object is expected, and types or blocks elsewhere. */
const isEmpty = /(?<=[,(=:]\s*)(?:\[\]|\{\})(?=\s*[,);}\]]|$)/

/** The title of a test is not a value of it. */
const isTitle = /(?<!\b(?:test|it|describe|context|suite|specify)(?:\.\w+)*\(\s*)/

/** A text in quotes without a line break, a number, or a truth value. Numbers in names, and indexes of shells, do not count. */
const value = new RegExp(
  `${isEmpty.source}|${isTitle.source}(?:${
    /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w$.'"#-])\d+(?:_\d+)*(?:\.\d+)?(?![\w'"])|\b(?:true|false|True|False|null|None|nil)\b|(?<=[=\s])\d+$/
      .source
  })`,
  'g',
)

/** Alters the last value, usually what is expected. Numbers come first, because a text at the end may be a message. */
function alterLine(line: string, random: Random, namesFile: (text: string) => boolean): string {
  if (line.length > maxReach) return line
  const inverted = invertLine(line)
  if (inverted !== line) return inverted
  const [from, to] = findReach(line)
  const found = [...line.matchAll(value)].filter(
    ({ 0: text, index }) => index < to && !isDeep(line, from, index) && !namesFile(text.replace(/^['"]|['"]$/g, '')),
  )
  const compared = [...line.matchAll(/(?:[=!]==?|\s=|-eq)\s*/g)].map((one) => one.index + one[0].length)
  const numbers = found.filter(([text]) => /^\d/.test(text))
  const direct = found.find(({ index }) => compared.includes(index))
  const chosen = direct ?? (numbers.length > 0 ? numbers : found).at(-1)
  if (chosen === undefined) return line
  const [was] = chosen
  return line.slice(0, chosen.index) + alterValue(was, random) + line.slice(chosen.index + was.length)
}

/** Finds where the assertion of a line begins, and where its third argument, a message, begins. */
function findReach(line: string): [number, number] {
  const from = isAssertion.exec(line)?.index ?? 0
  const [called] = /^(?:assert|t|self|is|like)[\w.]*\(/.exec(line.slice(from)) ?? []
  const third = called === undefined ? undefined : splitArguments(line, from + called.length)[2]
  return [from, third?.[0] ?? line.length]
}

/**
 * Whether a place is inside of a call in the assertion, as the name of a file is that is read for it: another one would break the test. What
 * begins with a capital letter, as types do, makes a value of others.
 */
function isDeep(line: string, from: number, index: number): boolean {
  const open: boolean[] = []
  for (const { 0: found, index: at } of line.slice(from, index).matchAll(quotedOrBracket)) {
    if (found === '(')
      open.push(/[\w!\])]$/.test(line.slice(0, from + at)) && !/\b[A-Z](?:[a-z]\w*)?$/.test(line.slice(0, from + at)))
    else if (found === ')') open.pop()
  }
  const isCall = /^\W*[\w.!]+\(/.test(line.slice(from))
  return open.filter(Boolean).length > (isCall ? 1 : 0)
}
const quotedOrBracket = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|,/g

/** Nobody writes longer assertions, and longer ones would take long to read. */
const maxReach = 10_000

/** Returns the start and the end of each argument of a call. Empty if the call does not end. */
export function splitArguments(text: string, from: number): (readonly [number, number])[] {
  const parts: [number, number][] = []
  let [depth, start] = [0, from]
  const pattern = new RegExp(quotedOrBracket)
  pattern.lastIndex = from
  for (let found = pattern.exec(text); found && found.index < from + maxReach; found = pattern.exec(text)) {
    if (/^[([{]$/.test(found[0])) depth++
    else if (depth === 0 && /^[)\]},]$/.test(found[0])) {
      parts.push([start, found.index])
      start = found.index + 1
      if (found[0] !== ',') return parts
    } else if (/^[)\]}]$/.test(found[0])) depth--
  }
  return []
}

/** Turns a claim that something is true into one that it is not. */
function invertLine(line: string): string {
  for (const [claim, opposite] of claims) if (claim.test(line)) return line.replace(claim, opposite)
  const opened = /\b(?:assert(?:\.ok)?!?|CHECK|REQUIRE|EXPECT_TRUE|ASSERT_TRUE)\(/.exec(line)
  const [first] = opened ? splitArguments(line, opened.index + opened[0].length) : []
  return first ? `${line.slice(0, first[0])}!(${line.slice(...first)})${line.slice(first[1])}` : line
}

const claims: readonly (readonly [RegExp, string])[] = [
  [/\bassertTrue\b/, 'assertFalse'],
  [/\bassertFalse\b/, 'assertTrue'],
  [/\btoBeTruthy\b/, 'toBeFalsy'],
  [/\btoBeFalsy\b/, 'toBeTruthy'],
  // `None` has no other value of its type.
  [/\bassert_eq!(?=\(.*\bNone\);)/, 'assert_ne!'],
  [/^(\s*)assert not\s/, '$1assert '],
  [/^(\s*)assert\s(?!.*==)/, '$1assert not '],
]
