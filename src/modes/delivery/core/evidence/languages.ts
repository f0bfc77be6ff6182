/** Every failure that is added says so. */
export const mustFail = 'this test must fail'

export type Language = {
  readonly comment: RegExp
  /** Lines that name modules, and others that must stay. */
  readonly keep: RegExp
  /** Marks that begin and end a text of several lines. */
  readonly quotes?: RegExp
  /** Begins a comment that goes to the end of the line. */
  readonly marks?: string
  readonly failure?: string
  /** The line that a test begins with. */
  readonly test?: RegExp
  /** Marks a function that is no test, whatever it is called. */
  readonly fixture?: RegExp
  /** The line that another function begins with. Several tests may use it, so that it stays. */
  readonly helper?: RegExp
  /** Makes a test fail that begins with this line. */
  readonly failAt?: (line: string) => string
  /** An expression for another value of the same type. */
  readonly other?: (expression: string, word: string) => string
  /** Assertions without an expected value, or with one that is no single one: which argument of which call makes them false. */
  readonly claims?: readonly Claim[]
  /** Names and signs of claims, and those of the opposite. */
  readonly opposites?: readonly (readonly [RegExp, string])[]
  readonly isShell?: true
  /** The line of a condition after which a test may fail. */
  readonly condition?: RegExp
}

/** Orders are turned round, so that a product that is larger than everything is seen. */
const negate = ([claim = '']: readonly string[]): string => {
  const [, one, sign, other] = /^([^<>=&|]+?) ([<>])=? ([^<>=&|]+)$/.exec(claim) ?? []
  return sign ? `${other} ${sign} ${one}` : `!(${claim})`
}

type Claim = {
  /** The assertion, if the call alone does not show it. */
  readonly when?: RegExp
  /** Ends in the bracket of the call. */
  readonly call: RegExp
  readonly at: number
  readonly to: (given: readonly string[], about: { readonly word: string; readonly text: string }) => string
}

const slashes = /^\s*(?:\/\/|\/?\*)/
const hashes = /^\s*#(?!\[)/
const openBrace = (statement: string) => (line: string) => line.replace(/\{\s*$/, `{ ${statement}`)
const countWord = (word: string): number => 1 + (word.charCodeAt(1) % 9)
const expectCall = /\bexpect(?:\.soft)?\(/
const throwing = '() => { throw new Error() }'
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
  other: (expression, word) =>
    `(function o(v) { return typeof v === "number" ? (v === v ? v + ${countWord(word)} : 0) : typeof v === "bigint" ? v + 1n : typeof v === "string" ? ${word < 'n' ? `v + "${word[0]}"` : `"${word[0]}" + v`} : typeof v === "boolean" ? !v : typeof v === "function" ? class extends Error {} : v instanceof RegExp ? /${word}/ : v instanceof Date ? new Date(+v + 1) : Array.isArray(v) ? (v.length ? [o(v[0]), ...v.slice(1)] : ["${word}"]) : v == null ? "${word}" : Object.getPrototypeOf(v) === Object.prototype ? (Object.keys(v).length ? { ...v, [Object.keys(v)[0]]: o(v[Object.keys(v)[0]]) } : { ${word}: 1 }) : ["${word}"] })(${expression})`,
  claims: [
    {
      when: /\.not\.(?:toBe|toEqual|toStrictEqual)\(/,
      call: expectCall,
      at: 0,
      to: (_, { text }) => /\.not\.\w+\(([\s\S]*)\)/.exec(text)?.[1] ?? '',
    },
    { when: /\.not\.toThrow/, call: expectCall, at: 0, to: () => throwing },
    {
      when: /\.not\.rejects\b|\.resolves\.not\.toThrow/,
      call: expectCall,
      at: 0,
      to: () => 'Promise.reject(new Error())',
    },
    { when: /\.rejects\b/, call: expectCall, at: 0, to: () => 'Promise.resolve()' },
    { when: /(?:\.toThrow|\.to\.throw)\w*\(/, call: expectCall, at: 0, to: () => '() => {}' },
    {
      when: /\.toBe(?:Greater|Less)|\.(?:above|below|greaterThan|lessThan|at(?:Least|Most)|within)\(/,
      call: expectCall,
      at: 0,
      to: () => 'Number.NaN',
    },
    {
      when: /\.toBe(?:Truthy|Defined)\(|\.to\.be\.(?:ok|true)\b|\.to\.exist\b/,
      call: expectCall,
      at: 0,
      to: () => 'undefined',
    },
    {
      when: /\.toBe(?:Falsy|Undefined|Null|NaN)\(|\.to\.be\.(?:false|null|undefined|empty)\b/,
      call: expectCall,
      at: 0,
      to: (_, { word }) => `"${word}"`,
    },
    { call: /\b(?:assert|t)\.throws\(|^\s*throws\(/, at: 0, to: () => '() => {}' },
    {
      call: /\b(?:assert\.|t\.)(?:rejects|throwsAsync)\(|^\s*(?:await )?rejects\(/,
      at: 0,
      to: () => 'Promise.resolve()',
    },
    { call: /\bassert\.doesNotThrow\(/, at: 0, to: () => throwing },
    { call: /\bassert\.doesNotReject\(/, at: 0, to: () => 'Promise.reject(new Error())' },
    { call: /\bassert\.doesNotMatch\(/, at: 1, to: () => '/(?:)/' },
    { call: /\bt\.(?:notOk|false|falsy)\(|\bassert\.is(?:False|NotOk)\(/, at: 0, to: ([claim]) => `!(${claim})` },
    { call: /\b(?:assert\.not\w*Equal|t\.not\w*)\(|^\s*not\w*Equal\(/, at: 1, to: ([first = '']) => first },
    {
      call: /(?<![.\w])assert(?:\.(?:ok|isTrue|isOk))?\(|\bt\.(?:ok|true|truthy|assert)\(|^\s*ok\(/,
      at: 0,
      to: negate,
    },
  ],
  opposites: [
    [/(\bexpect\([\s\S]*\)[\w.]*)\.not(?=\.)/, '$1'],
    // A property has no expected value. The numbers in it are those of its generators.
    [/^(\s*(?:await )?fc\.assert\((?![\s\S]*\bassert\.)[\s\S]*?) === /, '$1 !== '],
  ],
}

const languages: readonly (readonly [RegExp, Language])[] = [
  [
    /\.[cm]?tsx?$/,
    // A test of types is compiled and not run.
    {
      ...script,
      other: (expression, word) => script.other!(expression, word).replace('(v)', '(v: any): any'),
      failure: `const thisTestMustFail: never = "${mustFail}"\nthrow new Error(thisTestMustFail)`,
    },
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
      fixture: /^\s*@(?:pytest\.)?fixture\b/,
      helper: /^\s*(?:async )?def (?!test)/,
      failAt: (line) => line.replace(/^(\s*)(.*:)\s*$/, `$1$2\n$1    raise AssertionError("${mustFail}")`),
      other: (expression, word) =>
        `(lambda o: o(o, ${expression}))(lambda o, v: not v if isinstance(v, bool) else v + ${countWord(word)} if isinstance(v, (int, float)) else ${word < 'n' ? `v + "${word[0]}"` : `"${word[0]}" + v`} if isinstance(v, str) else v + b"${word}" if isinstance(v, bytes) else ([o(o, v[0]), *v[1:]] if v else ["${word}"]) if isinstance(v, list) else ((o(o, v[0]), *v[1:]) if v else ("${word}",)) if type(v) is tuple else {**v, **({k: o(o, v[k]) for k in list(v)[:1]} or {"${word}": 1})} if isinstance(v, dict) else {*v, "${word}"} if isinstance(v, set) else type("${word}", (Exception,), {}) if isinstance(v, type) else "${word}" if v is None else object())`,
      claims: [
        { call: /\bassert(?:NotEqual|IsNot)\(/, at: 1, to: ([first = '']) => first },
        { call: /\bassert(?:Greater|Less)\(/, at: 0, to: ([one, other]) => `*reversed((${one}, ${other}))` },
        { call: /\bassert(?:Greater|Less)Equal\(/, at: 0, to: () => 'float("nan")' },
        { call: /\bassert(?:True|False)\(/, at: 0, to: ([first = '']) => `not (${first})` },
        { call: /\bassertIsNone\(/, at: 0, to: (_, { word }) => `"${word}"` },
        { call: /\bassertIsNotNone\(/, at: 0, to: () => 'None' },
        { call: /\bassertIn\(/, at: 1, to: () => '()' },
        { call: /\bassertNotIn\(/, at: 1, to: ([first = '']) => `(${first},)` },
        {
          call: /\b(?:pytest\.raises|assertRaises(?:Regex)?)\(/,
          at: 0,
          to: (_, { word }) => `type("${word}", (Exception,), {})`,
        },
      ],
      opposites: [
        // A product that is larger than everything is larger either way round.
        [/^(\s*assert )(?!not\b)([^<>=&|,]+?) ([<>])=? ([^<>=&|,]+?)(,.*)?$/, '$1$4 $3 $2$5'],
        [/^(\s*)assert not\s/, '$1assert '],
        [/^(\s*)assert\s(?![\s\S]*==)/, '$1assert not '],
      ],
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
      condition: /^\s*(?:\} else )?if\b.*\{\s*$/,
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
      claims: [{ call: /(?<![.\w])assert!\(/, at: 0, to: negate }],
      // `None` has no other value of its type.
      opposites: [
        [/\bassert_eq!(?=\([\s\S]*\bNone\);)/, 'assert_ne!'],
        [/\bassert_ne!/, 'assert_eq!'],
      ],
    },
  ],
  [
    /\.(?:sh|bash|bats)$/,
    {
      comment: hashes,
      keep: /^\s*(?:\.|source|cd|set)\s|^\s*trap\b|^\s*@test/,
      marks: '#',
      failure: `echo '${mustFail}' >&2\nexit 1`,
      isShell: true,
      opposites: [
        [/(\[\[?|\btest) -z /, '$1 -n '],
        [/(\[\[?|\btest) -n /, '$1 -z '],
      ],
    },
  ],
  [
    /\.(?:c|cc|cpp)$/,
    {
      comment: slashes,
      keep: /^\s*#/,
      marks: '//',
      failure: `#error "${mustFail}"`,
      claims: [{ call: /\b(?:assert|CHECK|REQUIRE|(?:EXPECT|ASSERT)_TRUE)\(/, at: 0, to: negate }],
    },
  ],
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
export function findLanguage(path: string, text: string): Language | undefined {
  const [, program] = /^#!.*?\b(sh|bash|dash|python|node|perl|ruby)\d*(?:\.\d+)?\s/.exec(text) ?? []
  const ending =
    program && { sh: 'sh', bash: 'sh', dash: 'sh', python: 'py', node: 'js', perl: 'pl', ruby: 'rb' }[program]
  const name = ending && !/\.\w+$/.test(path) ? `${path}.${ending}` : path
  return languages.find(([files]) => files.test(name))?.[1]
}

/**
 * From where to where each test and each other function goes, with what stands right above it: its decorators and rows. What comes before the
 * first one is a part, too.
 */
export function splitTests(lines: readonly string[], { test, helper }: Language): readonly Part[] {
  let depth = Number.POSITIVE_INFINITY
  const starts = lines.flatMap((line, index) => {
    const indent = line.search(/\S/)
    const isTest = test?.test(line) === true
    // What is inside of a test is a part of it, whatever it is called.
    const isInside = indent > depth
    if (!isInside && /^\s*\w/.test(line)) depth = isTest ? indent : Number.POSITIVE_INFINITY
    if (isInside || (!isTest && !helper?.test(line))) return []
    if (!/^\s*(?:@|#\[|[)\]])/.test(lines[index - 1] ?? '')) return [index]
    let above = index
    while (above > 0 && lines[above - 1]!.trim() !== '') above--
    return [above]
  })
  const all = [0, ...new Set(starts)]
  return all.map((start, index) => [start, all[index + 1] ?? lines.length])
}

/** The line that the test in a part begins with. */
function findHead(lines: readonly string[], [start, end]: Part, { test, fixture }: Language): string | undefined {
  const part = lines.slice(start, end)
  return part.some((line) => fixture?.test(line)) ? undefined : part.find((line) => test?.test(line))
}

export const isTestPart = (lines: readonly string[], part: Part, language: Language): boolean =>
  findHead(lines, part, language) !== undefined

/** The name of the test in a part, or an empty text. */
export function nameTest(lines: readonly string[], part: Part, language: Language): string {
  const line = findHead(lines, part, language) ?? ''
  const [, name, title] = /(?:def|func|fn)\s+(\w+)|\(\s*['"`](.*?)['"`]/.exec(line) ?? []
  return name ?? title ?? ''
}

export type Part = readonly [start: number, end: number]
