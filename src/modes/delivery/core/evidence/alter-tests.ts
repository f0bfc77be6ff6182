import { alterInline } from './parts.ts'

/**
 * Changes tests so that they must fail. `last`: the last value of each assertion, or of each row of a table: usually what is expected. Numbers come
 * first, because a text at the end may be a message. `second`: another value of them. `everything`: all values but imports. `data`: files that are no code, such as expected output.
 * `failure`: a failure at the end.
 */
export type Alteration = 'last' | 'second' | 'everything' | 'data' | 'failure'

/** Every failure that is added says so. */
export const mustFail = 'this test must fail'

/** Undefined if there is nothing to change, or the language is not known. `isTest` is false for a source with tests inside. */
export function alterTest(path: string, text: string, how: Alteration, isTest = true): string | undefined {
  // A source with tests inside: only those.
  if (!isTest && how !== 'failure') return alterInline(path, text, (part) => alterTest(path, part, how))

  const language = languages.find(([files]) => files.test(path))?.[1]
  if (text.length > maxLength) return undefined
  if (how === 'data') return language || text.trim() === '' ? undefined : text.replace(/\S(?=\s*$)/, '$&~')
  if (!language) return undefined
  if (how === 'failure') return `${text.trimEnd()}\n${language.failure}\n`
  let isQuoted = false
  let above = ''
  const lines = text.split('\n').map((line) => {
    const isNaming = namesParameters.test(above)
    above = line
    const wasQuoted = isQuoted
    for (const _ of line.match(language.quotes ?? never) ?? []) isQuoted = !isQuoted
    if (wasQuoted || isQuoted || isNaming || language.comment.test(line) || language.keep.test(line)) return line
    if (how !== 'everything' && !isAsserting.test(line) && !isRow.test(line)) return line
    return alterLine(line, how)
  })
  const altered = lines.join('\n')
  return altered === text ? undefined : altered
}

const maxLength = 1 << 20
/** The next line has names of parameters. */
const namesParameters = /\bparametrize\(\s*$/
const never = /(?!)/g

type Language = {
  readonly comment: RegExp
  /** Lines that name modules, and others that must stay. */
  readonly keep: RegExp
  /** Marks that begin and end a text of several lines. */
  readonly quotes?: RegExp
  readonly failure: string
}

const slashes = /^\s*(?:\/\/|\/?\*)/
const hashes = /^\s*#(?!\[)/
const languages: readonly (readonly [RegExp, Language])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    {
      comment: slashes,
      keep: /^\s*(?:import|export)\b.*['"]|\brequire\(|\bimport\(|\.mock\(|\bfrom ['"]|^\s*['"]use strict/,
      failure: `throw new Error("${mustFail}")`,
    },
  ],
  [
    /\.py$/,
    {
      comment: hashes,
      keep: /^\s*(?:import|from)\b|^\s*@|__name__|sys\.path/,
      quotes: /"""|'''/g,
      failure: `raise AssertionError("${mustFail}")`,
    },
  ],
  [
    /_test\.go$/,
    {
      comment: slashes,
      keep: /^\s*(?:import|package|func|"[^"]*"$)|^\s*\w* ?"[\w./-]+"$/,
      quotes: /`/g,
      failure: `func TestThatMustFail(t *testing.T) { t.Fatal("${mustFail}") }`,
    },
  ],
  [
    /\.rs$/,
    {
      comment: slashes,
      keep: /^\s*(?:use|mod|extern|pub use)\b|^\s*#!?\[/,
      failure: `#[test]\nfn this_test_must_fail() { panic!("${mustFail}") }`,
    },
  ],
  [
    /\.(?:sh|bash|bats)$/,
    {
      comment: hashes,
      keep: /^\s*(?:\.|source|cd|set)\s|^\s*trap\b|^\s*@test/,
      failure: `echo '${mustFail}' >&2\nexit 1`,
    },
  ],
  [/\.(?:c|cc|cpp)$/, { comment: slashes, keep: /^\s*#/, failure: `#error "${mustFail}"` }],
  [
    /\.(?:java|kt|cs|php|swift|scala)$/,
    { comment: slashes, keep: /^\s*(?:import|package|use|using|namespace|@)/, failure: '}' },
  ],
  [/\.(?:rb|exs?)$/, { comment: hashes, keep: /^\s*(?:require|import|alias|use)\b/, failure: `raise "${mustFail}"` }],
]

const isAsserting = new RegExp(
  [
    String.raw`\b(?:assert|expect|should|must|equal|deepEqual|strictEqual|raises|throws|rejects|require|verify|check|want|refute)\w*\b`,
    String.raw`\.(?:to|is|eq|ok|not|same|match|contain|include)\w*[(.!]`,
    String.raw`\b(?:EXPECT|ASSERT|CHECK|REQUIRE)_?\w*\(|\bt\.(?:Error|Fatal)|[=!]==?|[<>]=`,
    String.raw`(?:^|[\s;(])(?:\[\[?|test|grep|diff|cmp|expr)\s`,
  ].join('|'),
)
/** `{"a", 2, 3},` or `[1, 2],` */
const isRow = /^\s*(?:\w+:\s*)?&?[\w.]*[{[(].*[\])}],?;?\s*$/

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

function alterLine(line: string, how: Alteration): string {
  const inverted = how === 'last' ? invertLine(line) : line
  if (inverted !== line) return inverted
  const found = [...line.matchAll(value)]
  const numbers = found.filter(([text]) => /^\d/.test(text))
  const others = found.filter(([text]) => !/^\d/.test(text))
  const ordered = [...others, ...numbers].toReversed()
  const second = numbers.length > 0 && others.length > 0 ? others.slice(-1) : ordered.slice(1, 2)
  const chosen = how === 'everything' ? found : how === 'last' ? ordered.slice(0, 1) : second
  let altered = line
  for (const match of chosen.reverse()) {
    const [was] = match
    altered = altered.slice(0, match.index) + alterValue(was) + altered.slice(match.index + was.length)
  }
  return altered
}

/** Turns a claim that something is true into one that it is not. */
function invertLine(line: string): string {
  for (const [claim, opposite] of claims) if (claim.test(line)) return line.replace(claim, opposite)
  const opened = /\bassert(?:\.ok)?!?\(/.exec(line)
  if (!opened) return line
  const from = opened.index + opened[0].length
  const end = findArgumentEnd(line, from)
  return end === undefined ? line : `${line.slice(0, from)}!(${line.slice(from, end)})${line.slice(end)}`
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

/** The place where the argument that begins here ends, if it does so on this line. */
function findArgumentEnd(line: string, from: number): number | undefined {
  let depth = 0
  const pattern = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|[([{]|[)\]}]|,/g
  pattern.lastIndex = from
  for (let found = pattern.exec(line); found; found = pattern.exec(line)) {
    if (/^[([{]$/.test(found[0])) depth++
    else if (depth === 0 && /^[),]$/.test(found[0])) return found.index
    else if (/^[)\]}]$/.test(found[0])) depth--
  }
  return undefined
}

const opposites: Readonly<Record<string, string>> = {
  true: 'false',
  false: 'true',
  True: 'False',
  False: 'True',
  null: '"~"',
  None: '"~"',
  nil: 'nil',
  '[]': '["~"]',
  '{}': '{"~": 1}',
}

function alterValue(text: string): string {
  if (Object.hasOwn(opposites, text)) return opposites[text]!
  if (/^['"]/.test(text)) {
    const quote = text[0]!
    // One character stays one: in Rust and C it may be a character.
    if (quote === "'" && text.length === 3) return text === "'~'" ? "'!'" : "'~'"
    return `${text.slice(0, -1)}~${quote}`
  }
  return text.includes('.') ? `${text}1` : String(BigInt(text.replaceAll('_', '')) + 1n)
}
