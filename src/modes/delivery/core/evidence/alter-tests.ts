import { type Altered, alterValues, countTurns } from './alter-values.ts'
import { findLanguage, nameTest, splitTests } from './languages.ts'
import { alterData, createRandom, makeWord } from './other-values.ts'
import { alterInline, hasInlineTests } from './parts.ts'
import { findRole, type Texts } from './roles.ts'

/**
 * Ways to change tests. `values`: one assertion of each test has to fail: it gets another expected value, or what it claims becomes false. `data`:
 * expected output in files that are no code. `failure`: a failure at the end. `comment`: a comment at the end, which must change nothing.
 */
export type Alteration = 'values' | 'data' | 'failure' | 'comment'

export type AlterOptions = {
  /** Nobody can foresee the new values: a product that could would see that it is tried. */
  readonly seed: number
  /** With each turn, another assertion of a test is altered. */
  readonly turn?: number
  /** No test is left alone in it. */
  readonly isOnlyTurn?: boolean
  /** The file is one test. Otherwise each test in it is altered. */
  readonly isOne?: boolean
  /** False for a source with tests inside. */
  readonly isTest?: boolean
  /** Names of tests that stay as they are. */
  readonly skips?: ReadonlySet<string>
  /** Whether a text names a file of the repository. Another one would be missed. */
  readonly namesFile?: (text: string) => boolean
}

type AlterFiles = Omit<AlterOptions, 'isTest'> & {
  /** Globs of test files that a person gave. */
  readonly tests: readonly string[]
}

/** Alters tests in several files, not in step: files may belong together. Returns the files in which something changed. */
export function alterTests(
  files: Texts,
  how: Alteration,
  { tests, seed, ...options }: AlterFiles,
): { readonly texts: Readonly<Record<string, string>>; readonly altered: readonly string[] } {
  const found = [...files].flatMap(([path, text], index) => {
    const other = alterTest(path, text, how, { ...options, seed: seed + index, isTest: isTest(path, text, tests) })
    return other === undefined ? [] : [[path, other] as const]
  })
  const texts = Object.fromEntries(found.map(([path, { text }]) => [path, text]))
  return { texts, altered: found.flatMap(([, { tests: own }]) => own) }
}

/** Otherwise it is a source with tests inside. */
export const isTest = (path: string, text: string, tests: readonly string[]): boolean =>
  findRole(path, tests) === 'test' || !(isInline.test(path) || hasInlineTests(path, text))

/** Rust has tests in its sources. */
export const isInline = /\.rs$/

/** Undefined if there is nothing to change, or the language is not known. */
export function alterTest(path: string, text: string, how: Alteration, options: AlterOptions): Altered | undefined {
  const {
    seed,
    turn = 0,
    isTest = true,
    isOne = false,
    isOnlyTurn = false,
    namesFile = () => false,
    skips = none,
  } = options
  // A source with tests inside: only those.
  if (!isTest && how === 'values') {
    const tests: string[] = []
    const altered = alterInline(path, text, (part) => {
      const own = alterTest(path, part, how, { ...options, isTest: true })
      tests.push(...(own?.tests ?? []))
      return own?.text
    })
    return altered === undefined ? undefined : { text: altered, tests }
  }
  if (text.length > maxLength || text.trim() === '') return undefined
  const language = findLanguage(path, text)
  const random = createRandom(seed + turn)
  const differing = (altered: Altered): Altered | undefined => (altered.text === text ? undefined : altered)
  if (how === 'data') return language ? undefined : differing({ text: alterData(path, text, random), tests: [] })
  if (!language) return undefined
  const { failure, marks } = language
  // Some linters want comments to begin with a capital letter.
  const end = how === 'failure' ? failure : marks && `${marks} A${makeWord(random)}`
  if (how !== 'values') return end === undefined ? undefined : { text: `${text.trimEnd()}\n${end}\n`, tests: [] }
  return differing(alterValues(text, language, { random, seed, turn, isOnlyTurn, isOne, namesFile, skips }))
}
const none: ReadonlySet<string> = new Set()

/** How many turns it takes to alter each assertion of a file. */
export function countAlterations(
  path: string,
  text: string,
  { seed, isOne = false, isTest = true }: AlterOptions,
): number {
  if (!isTest) {
    let count = 0
    alterInline(path, text, (part) => {
      count = Math.max(count, countAlterations(path, part, { seed, isOne }))
      return undefined
    })
    return count
  }
  const language = text.length > maxLength ? undefined : findLanguage(path, text)
  const chosen = {
    random: createRandom(seed),
    seed,
    turn: 0,
    isOnlyTurn: false,
    isOne,
    namesFile: () => false,
    skips: none,
  }
  return language ? countTurns(text, language, chosen) : 0
}

/** The names of the tests in a file. */
export function listTests(path: string, text: string): readonly string[] {
  const language = findLanguage(path, text)
  const lines = text.split('\n')
  return language
    ? splitTests(lines, language)
        .map((part) => nameTest(lines, part, language))
        .filter(Boolean)
    : []
}

/** A file in its place that asks nothing, and compiles. */
export const emptyTest = (path: string, text: string): string =>
  path.endsWith('.go')
    ? `${/^package .*$/m.exec(text)?.[0] ?? ''}\n`
    : /\.(?:c|cc|cpp)$/.test(path) && /\bmain\s*\(/.test(text)
      ? 'int main(void) { return 0; }\n'
      : ''

const maxLength = 8 << 20
