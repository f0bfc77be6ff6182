import type { Language } from './languages.ts'
import { alterValue, makeWord, type Random } from './other-values.ts'
import {
  argumentsOf,
  hideSubstitutions,
  isDeep,
  maxReach,
  type Range,
  replaceRange,
  splitArguments,
} from './read-calls.ts'

export type Altering = {
  readonly random: Random
  /** Whether a text names a file of the repository. Another one would be missed. */
  readonly namesFile: (text: string) => boolean
}

/**
 * Alters an assertion so that it has to fail. A claim that has no expected value, or that holds for many, gets something that it does not hold for. In
 * others a value of what is expected becomes another one; if there is none, the expression for it gets another result.
 */
export function alterAssertion(text: string, language: Language, altering: Altering): string {
  if (text.length > maxReach || isFailure.test(text)) return text
  // Where a test fails if something holds, another value holds even less.
  if (!isAssertion.test(text) && language.condition?.test(text) && !text.includes('!')) return invertComparison(text)
  // Turning the answer of an `equals` round would catch nothing: one that always says yes would fail, too.
  const isPositive = isAssertion.test(text) ? !/\(\s*!|\bnot\b|\bnotOk\b|[fF]als[ey]/.test(text) : /[\s(]!/.test(text)
  const [compared] = isPositive ? argumentsOf(text, ownAnswer) : []
  const differing = compared ? alterLiteral(text, compared, language, altering) : text
  if (differing !== text) return differing
  const word = makeWord(altering.random)
  for (const { when, call, at, to } of language.claims ?? []) {
    if (when && !when.test(text)) continue
    const ranges = argumentsOf(text, call)
    if (!ranges[at]) continue
    const given = ranges.map((range) => text.slice(...range).trim())
    return replaceRange(text, ranges[at], to(given, { word, text }))
  }
  for (const [claim, opposite] of language.opposites ?? []) if (claim.test(text)) return text.replace(claim, opposite)
  const expected = findExpected(text)
  const altered = alterLiteral(text, expected, language, altering)
  if (altered !== text) return altered
  if (!expected || !language.other) return invertComparison(text)
  return replaceRange(text, expected, language.other(text.slice(...expected).trim(), word))
}

/** A line that nobody gets to. */
const isFailure = /^\s*assert\s+(?:False|0)\b|\bassert(?:\.ok)?\(\s*(?:false|0)\b/

const ownAnswer =
  /(?<!\b(?:assert|chai|strict|self|t|to|be|and))\.(?:equals?|isEqual\w*|Equals?|eq|sameAs|includes|has|contains|startsWith|endsWith)\(/

/** Whether a line begins an assertion. */
export const isAssertion = new RegExp(
  [
    String.raw`\b(?:assert|expect|refute)\w*(?:[.!]\w*)*\s*\(|^\s*assert\b|\b(?:check|verify|require|must)(?:\.\w+)?\s*\(|\.should\b`,
    String.raw`\b(?:EXPECT|ASSERT|CHECK|REQUIRE)_?\w*\(|\bt\.(?:is\w*|not\w*|equals?|\w+Equal|strict\w*|same|like|match|regex|throws\w*|rejects|true|false|truthy|falsy|ok|assert|type|has\w*)\(`,
    String.raw`\bpytest\.raises\(|^\s*(?:is|is_deeply|like|cmp_ok)\s*\(|(?:^|[\s;(&|!])(?:\[\[?|test|grep|diff|cmp|expr)\s`,
    String.raw`^\s*(?:equal|strictEqual|deepEqual|deepStrictEqual|throws|rejects|match)\(`,
  ].join('|'),
)

/** Finds the expected value: the second of two, that of an `expect`, or the right side of a comparison in Python. */
function findExpected(text: string): Range | undefined {
  const [call] = equality.exec(text) ?? []
  if (call !== undefined) return argumentsOf(text, equality)[call.startsWith('.') ? 0 : 1]
  const [start] = /^\s*assert\s(?!not\b)[\s\S]*? == /.exec(text) ?? []
  if (start === undefined) return undefined
  const [range] = splitArguments(`${text})`, start.length)
  // Up to a comment.
  const rest = text.slice(...(range ?? [start.length, start.length]))
  const [code = ''] = /^(?:"[^"]*"|'[^']*'|[^#"'])*/.exec(rest) ?? []
  return range && [range[0], range[0] + code.trimEnd().length]
}
const equality =
  /\b(?:assert|t|self)\.(?!\w*[nN]ot)(?:\w*[eE]qual\w*|is|same|like|match|assert(?:Is\w*|\w*Regex|Count\w*))\(|(?<![.\w])(?:assert_eq!|(?:deep)?(?:[sS]trict)?[eE]qual|match)\(|\.(?<!not\.)(?:to[A-Z]\w*|equals?|eql|include|members|lengthOf|match)\(/

/** `[]` and `{}` are values where a list or an object is expected, and types or blocks elsewhere. */
const isEmpty = /(?<=[,(=:]\s*)(?:\[\]|\{\})(?=\s*[,);}\]]|$)/

/** The title of a test is not a value of it. */
const isTitle = /(?<!\b(?:test|it|describe|context|suite|specify)(?:\.\w+)*\(\s*)/

/** A text in quotes without a line break, a pattern, a number, or a truth value. Numbers in names, and indexes of shells, do not count. */
const value = new RegExp(
  `${isEmpty.source}|${isTitle.source}(?:${
    /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|(?<=[(,]\s*)\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*(?=\s*[,)])|(?<![\w$.'"#-])\d+(?:_\d+)*(?:\.\d+)?(?![\w'"])|\b(?:true|false|True|False|null|None|nil)\b|(?<=[=\s])\d+$/
      .source
  })`,
  'g',
)

/** Words of a shell need no quotes. */
const shellValue = new RegExp(
  `${value.source}|(?<=\\s)(?!(?:exit|return|grep|diff|cmp|test)\\b)[a-zA-Z][\\w.:/-]*(?=\\s|$)`,
  'g',
)

/** Alters the last value of what is expected. Numbers come first, because a text at the end may be a message. */
function alterLiteral(
  text: string,
  expected: Range | undefined,
  { isShell, other, condition }: Language,
  { random, namesFile }: Altering,
): string {
  const from = findStart(text)
  const message = findMessage(text, from)
  const stays = (word: string): boolean => namesFile(word) || /^(?:utf-?8|ascii|latin1|hex|base64|rb?)$/i.test(word)
  // In a shell, the command after `||` or `&&` is no expected value.
  const end = isShell ? text.search(/\|\||&&|$/) : message
  // The first text of a call of the project's own is what it is called.
  const title = isAssertion.test(text) ? undefined : /^\s*(?:await\s+)?[\w.]+[( ]\s*(?=['"])/.exec(text)?.[0].length
  const all = [...hideSubstitutions(text).matchAll(isShell ? shellValue : value)].filter(
    ({ 0: found, index }) => index < end && index !== title && !stays(found.replace(/^['"]|['"]$/g, '')),
  )
  // A text that a function is given may be the name of something. A number is a part of the value that it makes.
  const isName = (found: string, index: number): boolean =>
    other !== undefined && /^['"]/.test(found) && isDeep(text, expected![0], index, 0)
  const own = expected
    ? all.filter(({ 0: found, index }) => index >= expected[0] && index < expected[1] && !isName(found, index))
    : []
  const found = own.length > 0 || expected ? own : all.filter(({ index }) => !isDeep(text, from, index))
  const sign = !isAssertion.test(text) && condition?.test(text) ? /!==?\s*/g : /(?:[=!]==?|\s=|-eq)\s*/g
  const compared = [...text.matchAll(sign)].map((one) => one.index + one[0].length)
  const numbers = found.filter(([one]) => /^\d/.test(one))
  const direct = found.find(({ index }) => compared.includes(index))
  const chosen = direct ?? (numbers.length > 0 ? numbers : found).at(-1)
  if (chosen === undefined) return text
  const [was] = chosen
  return replaceRange(
    text,
    [chosen.index, chosen.index + was.length],
    /^\w*[a-zA-Z]/.test(was) && isShell ? alterValue(`'${was}'`, random).slice(1, -1) : alterValue(was, random),
  )
}

function findStart(text: string): number {
  const index = isAssertion.exec(text)?.index ?? 0
  return index + /^\s*(?:await\s+)?/.exec(text.slice(index))![0].length
}

/** Where the message of an assertion begins: its third argument, or the last one of a call of the project's own, if that has several words. */
function findMessage(text: string, from: number): number {
  const [called] = /^[\w.]+\(/.exec(text.slice(from)) ?? []
  const ranges = called === undefined ? [] : splitArguments(text, from + called.length)
  const last = ranges.slice(2).at(-1)
  const isMessage = last && /^\s*(['"`]).* .*\1\s*$/.test(text.slice(...last))
  const message = /^(?:assert|t|self|is|like)\b/.test(text.slice(from)) ? ranges[2] : isMessage ? last : undefined
  return message?.[0] ?? text.length
}

/** Without values, a comparison becomes the opposite: that of a property, or one that Go's tests make themselves. */
const invertComparison = (text: string): string =>
  isAssertion.test(text)
    ? text.replace(/ === (?![\s\S]* === )/, ' !== ')
    : text.replace(/^(\s*if\s+(?:[^;{\n]*;\s*)?)([^;\n]+?)(\s*\{\s*)$/m, '$1!($2)$3')
