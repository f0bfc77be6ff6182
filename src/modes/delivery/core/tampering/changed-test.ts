import { type Comparison, compareLines, type Hunk } from './text/compare.ts'
import { became, type Finding, formatCount, summarize, wasAdded, wasRemoved } from './text/finding.ts'
import { findLanguage, type Language, weakAssertion } from './text/languages.ts'
import { formatLine, isSameText, type Lines, normalizeLines, withoutQuoted } from './text/normalize-lines.ts'

/** Tells whether a removed line moved to another test file together with its test. */
export type Moved = (bare: string) => boolean

/** Finds what happened to existing tests. Added lines are fine unless they disable something. */
export function checkTest(path: string, before: string, after: string, moved: Moved = () => false): Finding[] {
  if (isSameText(before, after)) return []
  const read = readBoth(findLanguage(path), before, after)
  const off = findDisabled(read)
  const { gone, weakened, changed } = findRemoved(read, moved)
  const findings: Finding[] = []
  weakened.push(...findPlaceholders(read))
  const fewer = gone.length - off.tests
  if (fewer > 0)
    findings.push({ kind: 'test-deleted', says: `${formatCount(fewer, 'test')} removed: \`${formatLine(gone[0]!)}\`` })
  if (off.says.length > 0) findings.push({ kind: 'test-skipped', says: summarize(off.says) })
  if (weakened.length > 0) findings.push({ kind: 'test-weakened', says: summarize(weakened) })
  if (findings.length === 0 && changed.length > 0) findings.push({ kind: 'test-changed', says: summarize(changed) })
  return findings
}

/** A new test file is fine unless it keeps other tests from running. */
export function checkNewTest(path: string, text: string): Finding[] {
  const { stops, comment } = findLanguage(path)
  const found = readLines(text).find(({ raw, code }) => !comment.test(raw) && stops.test(code))
  return found === undefined ? [] : [{ kind: 'test-skipped', says: wasAdded(found.raw) }]
}

/** Returns the lines that start a test. */
export function findOpeners(path: string, text: string): string[] {
  const { opener } = findLanguage(path)
  return readLines(text).flatMap(({ code, bare }) => (opener.test(code) ? [bare] : []))
}

function findRemoved({ language, before, after, comparison }: Read, moved: Moved) {
  const { opener, assertion, comment } = language
  const [gone, weakened, changed]: [string[], string[], string[]] = [[], [], []]
  // A line that moved within the file is not gone.
  const elsewhere = new Map<string, number>()
  for (const { added } of comparison.hunks)
    for (const j of added) elsewhere.set(after[j]!.bare, (elsewhere.get(after[j]!.bare) ?? 0) + 1)
  for (const hunk of comparison.hunks) judge(hunk)
  return { gone, weakened, changed }

  function judge({ removed, added }: Hunk): void {
    if (removed.length === 0) return
    const news = added.map((j) => after[j]!).filter(({ raw }) => !comment.test(raw))
    const left = removed.map((i) => before[i]!).filter(isGone)
    const tests = left.filter(({ code }) => opener.test(code))
    const lost = tests.length - news.filter(({ code }) => opener.test(code)).length
    for (const { raw } of lost > 0 ? tests.slice(-lost) : []) gone.push(raw)
    const asserting = news.filter(({ code }) => assertion.test(code))[Symbol.iterator]()
    const others = news.filter(({ code }) => !assertion.test(code))[Symbol.iterator]()
    const isHarmless = createHarmlessTest(news)
    for (const line of left) {
      if (isHarmless(line)) continue
      const asserts = assertion.test(line.code)
      const now: Line | undefined = (asserts ? asserting : others).next().value
      const says = now ? became(line.raw, now.raw) : wasRemoved(line.raw)
      // Removing a test is reported once, not again for each of its assertions.
      if (!now && lost > 0) continue
      const isWeaker = asserts && !(now && weakAssertion.test(line.raw) && !weakAssertion.test(now.raw))
      ;(isWeaker ? weakened : changed).push(says)
    }
  }

  function isGone({ raw, bare }: Line): boolean {
    if (!/\w/.test(bare) || comment.test(raw) || moved(bare)) return false
    const count = elsewhere.get(bare) ?? 0
    if (count > 0) elsewhere.set(bare, count - 1)
    return count === 0
  }
}

/** Finds new lines that replace assertions or the code under test with a fake. */
function findPlaceholders({ before, after, comparison }: Read): string[] {
  const tested = new Set(
    before.flatMap(({ raw }) => /^(?:import|export|const|let|var)\b.*(["'])(\.[^"']*)\1/.exec(raw)?.[2] ?? []),
  )
  const isPlaceholder = (j: number): boolean => {
    const { raw, code } = after[j]!
    if (ownAssertion.test(code)) return true
    if (decorator.test(code)) return (comparison.origin[j + 1] ?? -1) !== -1
    return tested.has(moduleMock.exec(raw)?.[2] ?? '')
  }
  const found = comparison.hunks.flatMap(({ added }) => added.filter(isPlaceholder)).map((j) => wasAdded(after[j]!.raw))
  return found.slice(0, 1)
}

const ownAssertion =
  /^(?:const|let|var|function|class) (?:expect|assert|test|it|describe)\b|^(?:globalThis|global|window)\.\w+ ?=|^def (?:assert\w*|approx)\(|^(?:expect|assert|pytest\.\w+) ?=(?!=)|^macro_rules! assert/
const decorator = /^@(?:\w+\.){0,3}patch\b/
const moduleMock = /\b(?:vi|jest)\.(?:mock|doMock|unstable_mockModule)\(\s?(["'`])([^"'`]*)\1/

/** Recognizes lines that were only extended: an import of more names, a test that became async. */
function createHarmlessTest(news: readonly Line[]): (line: Line) => boolean {
  const waiting = new Set(news.map(withoutWaiting))
  const imports = news.filter(isImport).slice(0, maxImports).map(splitWords)
  // A wrapped import has its names on separate lines.
  if (imports.length > 0) imports.push(new Set(news.slice(0, 200).flatMap((line) => [...splitWords(line)])))
  return (line) => waiting.has(line.bare) || (isImport(line) && imports.some((now) => isWider(splitWords(line), now)))
}

const maxImports = 50
const isImport = ({ raw }: Line): boolean => /^(?:import|from|use|using)\b|^const \{[^}]*\} = require\(/.test(raw)
const splitWords = ({ raw }: Line): ReadonlySet<string> => new Set(raw.slice(0, 2000).match(/[\w$@./-]+/g))

// `import x as y` can replace y with a fake, so a new `as` is not harmless.
const isWider = (known: ReadonlySet<string>, now: ReadonlySet<string>): boolean =>
  known.isSubsetOf(now) && (known.has('as') || !now.has('as'))

const withoutWaiting = ({ raw }: Line): string => normalizeLines(raw.replace(/\b(?:async|await)\s/g, '')).bare[0]!

/** Finds tests that are still in the file but no longer run or count. `tests` counts those commented out. */
function findDisabled(read: Read): { readonly says: readonly string[]; readonly tests: number } {
  const { language, before, after, comparison } = read
  const says: string[] = []
  const removed = new Map(comparison.hunks.flatMap((hunk) => hunk.removed.map((i) => [before[i]!.bare, before[i]!])))
  let tests = 0
  for (const { removed: gone, added } of comparison.hunks) {
    let known = gone.filter((i) => language.skip.test(before[i]!.code)).length
    for (const [n, j] of added.entries()) {
      const line = after[j]!
      if (language.comment.test(line.raw)) {
        const was = removed.get(stripComment(line.bare))
        if (!was || !/\w/.test(was.bare)) continue
        if (language.opener.test(was.code)) tests++
        says.push(`\`${formatLine(was.raw)}\` was commented out`)
      } else if (language.skip.test(line.code)) {
        if (known-- > 0) continue
        const was = gone[n] === undefined ? undefined : before[gone[n]]
        says.push(was && /\w/.test(was.bare) ? became(was.raw, line.raw) : wasAdded(line.raw))
      } else if (isAhead(read, j)) says.push(`${wasAdded(line.raw)} before \`${formatLine(next(read, j)!.raw, 60)}\``)
    }
  }
  return { says: [...says, ...findMovedMarks(read), ...findBlockComments(read)], tests }
}

const stripComment = (bare: string): string =>
  bare
    .replace(/^(?:\/\/+|#+|\/\*+|--|\*|<!--)/, '')
    .replace(/\*\/$/, '')
    .replace(/[,;]$/, '')

/** Whether a new line makes the old code after it conditional or unreachable: an if, a try, a return. */
function isAhead(read: Read, j: number): boolean {
  const { code } = read.after[j]!
  const isBlock = opensBlock.test(code)
  const isWrap = isBlock && wraps.test(code)
  if (!(isWrap || leaves.test(code) || (isBlock && holds.test(code)))) return false
  const following = next(read, j)
  if (following === undefined || !/\w/.test(following.bare)) return false
  return isWrap ? read.language.opener.test(following.code) : !branch.test(following.code)
}
const branch = /^(?:end|else|elif|except|catch|finally)\b/
const wraps =
  /^(?:export )?(?:async )?(?:function\b|(?:const|let|var) \w+ ?= ?(?:async )?(?:\(|function\b|\w+ ?=>)|def (?!test))/
const leaves =
  /^(?:return|return nil|return None|return true|return Ok\(\(\)\)|done\(\)|done\(\);? return|t\.pass\(\)|t\.end\(\))[;.]?$/
const holds =
  /^(?:\} )?(?:if|unless|while|for|try|switch|with (?:pytest\.raises|contextlib\.suppress|suppress)|begin|guard)\b/
const opensBlock = /[{:]$|^(?:begin|unless|if)\b[^{]*$|then$| do$/

/** Returns the next non-blank line if it is an old one. */
function next({ after, comparison }: Read, j: number): Line | undefined {
  let below = j + 1
  while (below < after.length && after[below]!.bare === '') below++
  return below < after.length && comparison.origin[below] !== -1 ? after[below] : undefined
}

/** Finds skip marks that now apply to another test. */
function findMovedMarks(read: Read): string[] {
  const { language, before, after, comparison } = read
  const below = (lines: readonly Line[], from: number) =>
    lines.slice(from + 1, from + 4).find(({ bare }) => bare !== '')
  return after.flatMap((line, j) => {
    const from = comparison.origin[j]!
    if (from === -1 || !/^[@#[]/.test(line.raw) || !language.skip.test(line.code)) return []
    const [was, now] = [below(before, from), below(after, j)]
    return now && was?.bare !== now.bare ? [`${wasAdded(line.raw)} above \`${formatLine(now.raw, 60)}\``] : []
  })
}

/** Finds unchanged lines that are now inside a block comment. */
function findBlockComments({ language, before, after, comparison }: Read): string[] {
  const then = markCommented(before)
  const now = markCommented(after)
  const hidden = after.find(({ code }, j) => {
    const from = comparison.origin[j]!
    return from !== -1 && now[j] && !then[from] && (language.opener.test(code) || language.assertion.test(code))
  })
  return hidden ? [`\`${formatLine(hidden.raw)}\` and the lines below it were commented out`] : []
}

function markCommented(lines: readonly Line[]): boolean[] {
  let end: string | undefined
  return lines.map(({ code, raw }) => {
    if (end !== undefined) {
      if (raw.includes(end)) end = undefined
      return true
    }
    const [opener, closer] = blocks.find(([start]) => code.startsWith(start)) ?? []
    // Not a block if it closes on the same line, as a one-line docstring does.
    if (opener && closer && !raw.slice(opener.length).includes(closer)) end = closer
    return false
  })
}
const blocks = [
  ['/*', '*/'],
  ['"""', '"""'],
  ["'''", "'''"],
  ['=begin', '=end'],
  ['#if 0', '#endif'],
  ['#if false', '#endif'],
  ['<!--', '-->'],
] as const

/** A line as written, as compared (layout removed), and as matched (quoted text removed). */
type Line = { readonly raw: string; readonly bare: string; readonly code: string }

type Read = {
  readonly language: Language
  readonly before: readonly Line[]
  readonly after: readonly Line[]
  readonly comparison: Comparison
}

function readBoth(language: Language, before: string, after: string): Read {
  const [old, now] = [normalizeLines(before), normalizeLines(after)]
  return { language, before: toMatchable(old), after: toMatchable(now), comparison: compareLines(old, now) }
}

const readLines = (text: string): Line[] => toMatchable(normalizeLines(text))

const toMatchable = ({ raw, bare }: Lines): Line[] =>
  raw.map((line, i) => ({ raw: line, bare: bare[i]!, code: withoutQuoted(line).replace(/\s+/g, ' ') }))
