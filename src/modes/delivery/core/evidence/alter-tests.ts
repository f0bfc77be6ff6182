import { alterInline } from './parts.ts'

/**
 * Ways to change tests. `values`: one expected value of each test becomes another one of its type. `expected`: what is expected becomes something
 * that nothing equals, whatever it is; a test without such an assertion fails at its start. `data`: expected output in files that are no code.
 * `failure`: a failure at the end. `comment`: a comment at the end, which must change nothing.
 */
export type Alteration = 'values' | 'expected' | 'data' | 'failure' | 'comment'

/** Every failure that is added says so. */
export const mustFail = 'this test must fail'

export type AlterOptions = {
  /** Nobody can foresee the new values: a product that could would see that it is tried. */
  readonly seed: number
  /** With each turn, another assertion of a test is altered. */
  readonly turn?: number
  /** The file is one test. Otherwise each test in it is altered. */
  readonly isOne?: boolean
  /** False for a source with tests inside. */
  readonly isTest?: boolean
  /** Whether a text names a file of the repository. Another one would be missed. */
  readonly namesFile?: (text: string) => boolean
}

/** Undefined if there is nothing to change, or the language is not known. */
export function alterTest(path: string, text: string, how: Alteration, options: AlterOptions): string | undefined {
  const { seed, turn = 0, isTest = true, isOne = false, namesFile = () => false } = options
  // A source with tests inside: only those.
  if (!isTest && (how === 'values' || how === 'expected'))
    return alterInline(path, text, (part) => alterTest(path, part, how, { ...options, isTest: true }))
  if (text.length > maxLength || text.trim() === '') return undefined
  const language = findLanguage(path, text)
  const random = createRandom(seed + turn)
  if (how === 'data') return language ? undefined : differs(text, alterData(path, text, random))
  if (!language) return undefined
  const { failure, marks } = language
  if (how === 'failure') return failure && `${text.trimEnd()}\n${failure}\n`
  if (how === 'comment') return marks && `${text.trimEnd()}\n${marks} ${makeWord(random)}\n`
  if (how === 'expected') return differs(text, alterExpected(text, language, random))
  return differs(text, alterValues(text, language, { random, seed, turn, isOne, namesFile }))
}

/** The names of tests in which a line differs. */
export function listAltered(path: string, before: string, after: string): readonly string[] {
  const language = findLanguage(path, before)
  const [lines, others] = [before.split('\n'), after.split('\n')]
  if (!language?.test || lines.length !== others.length) return []
  return splitTests(lines, language).flatMap(([start, end]) => {
    const part = lines.slice(start, end)
    const [, title, name] =
      /(?:def|func|fn)\s+(\w+)|\(\s*['"`](.*?)['"`]/.exec(part.find((line) => language.test!.test(line)) ?? '') ?? []
    return part.some((line, index) => line !== others[start + index]) ? [title ?? name ?? ''].filter(Boolean) : []
  })
}

const maxLength = 8 << 20
const differs = (text: string, altered: string): string | undefined => (altered === text ? undefined : altered)

type Random = () => number

/** A small generator of numbers from 0 to 1. */
function createRandom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

type Language = {
  readonly comment: RegExp
  /** Lines that name modules, and others that must stay. */
  readonly keep: RegExp
  /** Marks that begin and end a text of several lines. */
  readonly quotes?: RegExp
  /** What begins a comment to the end of the line. */
  readonly marks?: string
  readonly failure?: string
  /** The line that a test begins with. */
  readonly test?: RegExp
  /** The line that another function begins with. Several tests may use it, so that it stays. */
  readonly helper?: RegExp
  /** Makes a test fail that begins with this line. */
  readonly failAt?: (line: string) => string
  /** Makes a value that no other one equals. Only languages without types can compare it. */
  readonly wrap?: (value: string, word: string) => string
}

const slashes = /^\s*(?:\/\/|\/?\*)/
const hashes = /^\s*#(?!\[)/
const openBrace = (statement: string) => (line: string) => line.replace(/\{\s*$/, `{ ${statement}`)
const script: Language = {
  comment: slashes,
  keep: /^\s*(?:import|export)\b.*['"]|\brequire\(|\bimport\(|\.mock\(|\bfrom ['"]|^\s*['"]use strict/,
  marks: '//',
  failure: `throw new Error("${mustFail}")`,
  test: /^\s*(?:test|it|specify)(?:\.\w+)*\(/,
  helper: /^\s*(?:export )?(?:async )?function\b|^(?:export )?(?:const|let) \w+ = (?:async )?\(/,
  failAt: (line) =>
    /\{\s*$/.test(line)
      ? openBrace(`throw new Error("${mustFail}")`)(line)
      : line.replace(/,\s*(?=(?:async\s*)?\(.*?\)\s*=>)/, `, () => { throw new Error("${mustFail}") }, `),
  wrap: (value, word) => `[${value}, "${word}"]`,
}

const languages: readonly (readonly [RegExp, Language])[] = [
  [
    /\.[cm]?tsx?$/,
    // Where types are tested, nothing is run.
    { ...script, failure: `const thisTestMustFail: never = "${mustFail}"\nthrow new Error(thisTestMustFail)` },
  ],
  [/\.[cm]?jsx?$/, script],
  [
    /\.py$/,
    {
      comment: hashes,
      keep: /^\s*(?:import|from)\b|^\s*@|__name__|sys\.path/,
      quotes: /"""|'''/g,
      marks: '#',
      failure: `raise AssertionError("${mustFail}")`,
      test: /^\s*(?:async )?def test/,
      helper: /^\s*(?:async )?def (?!test)/,
      failAt: (line) => line.replace(/^(\s*)(.*:)\s*$/, `$1$2\n$1    raise AssertionError("${mustFail}")`),
      wrap: (value, word) => `(${value}, "${word}")`,
    },
  ],
  [
    /_test\.go$/,
    {
      comment: slashes,
      keep: /^\s*(?:import|package|func|"[^"]*"$)|^\s*\w* ?"[\w./-]+"$/,
      quotes: /`/g,
      marks: '//',
      failure: `func TestThatMustFail(t *testing.T) { t.Fatal("${mustFail}") }`,
      test: /^func Test/,
      helper: /^func (?!Test)/,
      failAt: (line) => line.replace(/\((\w+) \*testing\.T\) \{\s*$/, `$&; $1.Fatal("${mustFail}")`).replace('{;', '{'),
    },
  ],
  [
    /\.rs$/,
    {
      comment: slashes,
      keep: /^\s*(?:use|mod|extern|pub use)\b|^\s*#!?\[/,
      marks: '//',
      failure: `#[test]\nfn this_test_must_fail() { panic!("${mustFail}") }`,
      test: /^\s*(?:async )?fn \w+\(\)/,
      helper: /^\s*(?:pub )?fn \w+(?:<.*>)?\([^)]/,
      failAt: openBrace(`panic!("${mustFail}");`),
    },
  ],
  [
    /\.(?:sh|bash|bats)$/,
    {
      comment: hashes,
      keep: /^\s*(?:\.|source|cd|set)\s|^\s*trap\b|^\s*@test/,
      marks: '#',
      failure: `echo '${mustFail}' >&2\nexit 1`,
    },
  ],
  [/\.(?:c|cc|cpp)$/, { comment: slashes, keep: /^\s*#/, marks: '//', failure: `#error "${mustFail}"` }],
  [
    /\.(?:java|kt|cs|php|swift|scala|groovy|dart)$/,
    { comment: slashes, keep: /^\s*(?:import|package|use|using|namespace|@)/, marks: '//', failure: '}' },
  ],
  [
    /\.(?:rb|exs?)$/,
    { comment: hashes, keep: /^\s*(?:require|import|alias|use)\b/, marks: '#', failure: `raise "${mustFail}"` },
  ],
  [
    /\.(?:lua|pl|pm|t|r|hs|ml|clj|cljs|erl|jl|nim|zig|fs|tcl|ps1|feature)$/i,
    { comment: /^\s*(?:--|#|;|%|\/\/|\(\*)/, keep: /^\s*(?:require|import|use|open|library|local .*require)\b/ },
  ],
]

/** By the ending, or by the program that a script names in its first line. */
function findLanguage(path: string, text: string): Language | undefined {
  const [, program] = /^#!.*?\b(sh|bash|dash|python|node|perl|ruby)\d*(?:\.\d+)?\s/.exec(text) ?? []
  const ending =
    program && { sh: 'sh', bash: 'sh', dash: 'sh', python: 'py', node: 'js', perl: 'pl', ruby: 'rb' }[program]
  const name = ending && !/\.\w+$/.test(path) ? `${path}.${ending}` : path
  return languages.find(([files]) => files.test(name))?.[1]
}

type Chosen = Required<Pick<AlterOptions, 'seed' | 'turn' | 'isOne' | 'namesFile'>> & { readonly random: Random }

/** Alters one assertion of each test. A test without one may have its values in the rows of a table. */
function alterValues(text: string, language: Language, { random, seed, turn, isOne, namesFile }: Chosen): string {
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
  // Tables may stand before the tests. What else does prepares them.
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

/**
 * From where to where each test and each other function goes, with what stands right above it: its decorators and rows. What comes before the
 * first one is a part, too.
 */
function splitTests(lines: readonly string[], { test, helper }: Language): readonly Part[] {
  const starts = lines.flatMap((line, index) => {
    if (!test?.test(line) && !helper?.test(line)) return []
    if (!/^\s*(?:@|#\[|[)\]])/.test(lines[index - 1] ?? '')) return [index]
    let above = index
    while (above > 0 && lines[above - 1]!.trim() !== '') above--
    return [above]
  })
  const all = [0, ...new Set(starts)]
  return all.map((start, index) => [start, all[index + 1] ?? lines.length])
}

const isPartOf = (pattern: RegExp | undefined, lines: readonly string[], [start, end]: Part): boolean =>
  pattern !== undefined && lines.slice(start, end).some((line) => pattern.test(line))

type Part = readonly [start: number, end: number]

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
/** With another value, these would hold as well; or it is not what the product says. */
const isNegative =
  /\.not\.|[nN]ot(?:[A-Z]\w*)?\(|doesNot|CloseTo|Greater|Less|\bt\.(?:Error|Fatal|Log)|\b(?:assertions|plan)\(|\b(?:fail\w*|errors)\b.*\b0\b|^\s*(?:for|while|return)\b/

/** Whether a file that is named nowhere as a test may be one. */
export const hasAssertions = (text: string): boolean => /\b(?:assert|expect)\b/.test(text)

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

/** Where the assertion of a line begins, and where its third argument does, which is a message. */
function findReach(line: string): [number, number] {
  const from = isAssertion.exec(line)?.index ?? 0
  const [called] = /^(?:assert|t|self|is|like)[\w.]*\(/.exec(line.slice(from)) ?? []
  const third = called === undefined ? undefined : splitArguments(line, from + called.length)[2]
  return [from, third?.[0] ?? line.length]
}

/**
 * Whether a place is inside of a call in the assertion, as the name of a file is that is read for it: another one would break the test. What
 * begins with a capital letter makes a value of others.
 */
function isDeep(line: string, from: number, index: number): boolean {
  const open: boolean[] = []
  for (const { 0: found, index: at } of line.slice(from, index).matchAll(quotedOrBracket)) {
    if (found === '(')
      open.push(/[\w!\])]$/.test(line.slice(0, from + at)) && !/\b[A-Z]\w*$/.test(line.slice(0, from + at)))
    else if (found === ')') open.pop()
  }
  const isCall = /^\W*[\w.!]+\(/.test(line.slice(from))
  return open.filter(Boolean).length > (isCall ? 1 : 0)
}
const quotedOrBracket = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|,/g

/** Nobody writes longer assertions, and longer ones would take long to read. */
const maxReach = 10_000

/** The arguments that begin at a place, each from where to where. Empty if they do not end. */
function splitArguments(text: string, from: number): (readonly [number, number])[] {
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
  const opened = /\bassert(?:\.ok)?!?\(/.exec(line)
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

const opposites: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
  nil: 'nil',
}

function alterValue(text: string, random: Random): string {
  if (Object.hasOwn(opposites, text)) return opposites[text]!
  if (text === '[]') return `["${makeWord(random)}"]`
  if (text === '{}') return `{"${makeWord(random)}": 1}`
  if (text === 'null' || text === 'None') return `"${makeWord(random)}"`
  if (/^['"]/.test(text)) return text[0]! + alterLetter(text.slice(1, -1), random) + text[0]!
  const [whole = '0', ...rest] = text.replaceAll('_', '').split('.')
  // A smaller one is still one of its type.
  const number = BigInt(whole)
  const other =
    number === 0n
      ? BigInt(1 + Math.floor(random() * 8))
      : number - 1n - BigInt(Math.floor(random() * Math.min(8, Number(number))))
  return [other, ...rest].join('.')
}

/** Replaces a letter or a digit by another one. What is escaped, or filled in, stays. */
function alterLetter(text: string, random: Random): string {
  const places = [...text.matchAll(/(?<![\\%{$]\w*)[a-zA-Z0-9]/g)]
  const place = places[Math.floor(random() * places.length)]
  if (!place) return text === '' || /^\W$/.test(text) ? makeWord(random)[0]! : `${text}${makeWord(random)[0]}`
  const [was] = place
  const same = /\d/.test(was) ? '0123456789' : was === was.toUpperCase() ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : letters
  const others = same.replace(was, '')
  return `${text.slice(0, place.index)}${others[Math.floor(random() * others.length)]}${text.slice(place.index + 1)}`
}
const letters = 'abcdefghijklmnopqrstuvwxyz'
const makeWord = (random: Random): string =>
  Array.from({ length: 6 }, () => letters[Math.floor(random() * letters.length)]).join('')

/** Values of data stay values; in other texts each line gets another letter. Names of snapshots stay. */
function alterData(path: string, text: string, random: Random): string {
  const isValues = /\.(?:json|ya?ml|toml|csv|tsv|ndjson|jsonl)$/i.test(path)
  const lines = text.split('\n').map((line) => {
    if (!isValues) return /^(?:exports\[|\/\/)/.test(line) || line.trim() === '' ? line : alterLetter(line, random)
    const last = [...line.matchAll(dataValue)].filter(([, isKey]) => isKey === undefined).at(-1)
    if (!last) return line
    return line.slice(0, last.index) + alterValue(last[0], random) + line.slice(last.index + last[0].length)
  })
  return lines.join('\n')
}
const dataValue = /"(?:[^"\\]|\\.)*"(\s*:)?|(?<![\w."-])\d+(?:\.\d+)?(?![\w."-])|\b(?:true|false)\b/g

/** Each test for itself, because one that cannot be altered has to fail in another way. */
function alterExpected(text: string, language: Language, random: Random): string {
  const { test, failAt } = language
  const lines = text.split('\n')
  const parts = splitTests(lines, language).map((part) => {
    const own = lines.slice(...part)
    if (isPartOf(language.helper, lines, part) && !isPartOf(test, lines, part)) return own.join('\n')
    const wrapped = wrapExpected(own.join('\n'), language, random)
    if (wrapped !== own.join('\n') || !failAt) return wrapped
    return own.map((line) => (test?.test(line) ? failAt(line) : line)).join('\n')
  })
  return (parts[0] === '' && lines[0] !== '' ? parts.slice(1) : parts).join('\n')
}

const equalities =
  /\b(?:assert|t|self)\.(?!\w*[nN]ot)(?:\w*[eE]qual\w*|is|same)\(|\.(?<!not\.)(?:toBe|toEqual|toStrictEqual|equals?|eql)\(/g

function wrapExpected(text: string, { wrap }: Language, random: Random): string {
  if (!wrap) return text
  const word = makeWord(random)
  let altered = text
  let end = text.length
  for (const found of [...text.matchAll(equalities)].reverse()) {
    const place = splitArguments(text, found.index + found[0].length)[found[0].startsWith('.') ? 0 : 1]
    if (!place || place[1] > end) continue
    altered = altered.slice(0, place[0]) + wrap(text.slice(...place).trim(), word) + altered.slice(place[1])
    end = found.index
  }
  return altered.replace(/^(\s*assert\s(?!not\b).*? == )(.+)$/gm, (line, start: string, rest: string) => {
    const [place] = splitArguments(`${rest})`, 0)
    return place && place[1] > 0 ? `${start}${wrap(rest.slice(...place), word)}${rest.slice(place[1])}` : line
  })
}
