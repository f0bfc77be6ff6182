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
    // A test of types is compiled and not run.
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

export const isPartOf = (pattern: RegExp | undefined, lines: readonly string[], [start, end]: Part): boolean =>
  pattern !== undefined && lines.slice(start, end).some((line) => pattern.test(line))

export type Part = readonly [start: number, end: number]
