import { type Tampering, tamperings } from '../../contract/result.ts'
import { checkNewTest, checkTest } from './changed-test.ts'
import { checkManifest } from './manifest.ts'
import { findMoves } from './moved-tests.ts'
import { checkBuild, checkScript, checkSections, checkTargets, describeDifference } from './scripts.ts'
import { checkCi, checkConfig, checkHelper, checkLint, checkSetup } from './settings.ts'
import { findReach, isNamedScript, type Reach } from './text/commands.ts'
import { compareLines, findDifferences } from './text/compare.ts'
import { type About, type Finding, summarize, type Touched, wasAdded } from './text/finding.ts'
import { formatLine, normalizeLines } from './text/normalize-lines.ts'
import { findRole, type Role } from './text/roles.ts'
import { findChangedKeys, type Json, readJson, toObject, toText } from './text/scripts-diff.ts'

/** Reports only changes that make the compiler check fewer files or check less strictly. */
function checkTsconfig({ before, after, status }: Touched): Finding[] {
  if (status === 'added') return []
  if (status === 'deleted') return [{ kind: 'config-changed', says: 'the compiler configuration was deleted' }]
  const [was, now] = [readJson(before), readJson(after)]
  if (!was || !now) return [{ kind: 'config-changed', says: 'it is not valid JSON, before or after the change' }]
  const [old, current] = [toObject(was.compilerOptions) ?? {}, toObject(now.compilerOptions) ?? {}]
  return [
    ...findChangedKeys(old, current)
      .filter((key) => isLooser(key, current[key]))
      .map((key) => keyChanged(key, old, current)),
    ...['include', 'files']
      .filter((key) => was[key] !== undefined && !holds(now[key], was[key]))
      .map((key) => keyChanged(key, was, now)),
    ...['include', 'files']
      .filter((key) => was[key] === undefined && now[key] !== undefined)
      .map((key) => keyChanged(key, was, now)),
    ...['exclude'].filter((key) => !holds(was[key], now[key])).map((key) => keyChanged(key, was, now)),
    ...['extends']
      .filter((key) => was[key] !== undefined && toText(was[key]) !== toText(now[key]))
      .map((key) => keyChanged(key, was, now)),
  ]
}

const isLooser = (key: string, value: unknown): boolean =>
  strict.test(key) ? value !== true : loose.test(key) && value === true
const strict =
  /^(?:strict\w*|alwaysStrict|no(?!Emit|Resolve|Lib|ErrorTruncation|CheckJs)[A-Z]\w*|exactOptional\w*|useUnknown\w*|checkJs)$/
const loose = /^(?:allowUn\w*|skipLibCheck|skipDefaultLibCheck|suppress\w*|noCheck)$/

/** Whether `more` contains every element of `less`. */
const holds = (more: unknown, less: unknown): boolean =>
  less === undefined || (Array.isArray(more) && Array.isArray(less) && less.every((each) => more.includes(each)))

const keyChanged = (key: string, was: Json, now: Json): Finding => ({
  kind: 'config-changed',
  says: `"${formatLine(key, 40)}": \`${show(was[key])}\` became \`${show(now[key])}\``,
})
const show = (value: unknown): string => formatLine(toText(value) || 'nothing', 60)

/** Files found in place of a runner, and settings that say where runners are found. */
function checkRunner(touched: Touched): Finding[] {
  const { path, status } = touched
  if (status === 'deleted') return []
  if (settings.test(path)) {
    const found = findDifferences(touched).find(({ now = '' }) => programs.test(now))
    return found ? [{ kind: 'runner-replaced', says: describeDifference(found) }] : []
  }
  // Installing packages is fine; changing an installed one is not.
  if (installed.test(path) && status === 'added') return []
  const what =
    status === 'added' ? 'a new file takes the place of a runner' : 'a program that verification starts was changed'
  return [{ kind: 'runner-replaced', says: what }]
}

const settings = /(?:^|\/)(?:\.npmrc|\.yarnrc(?:\.yml)?|bunfig\.toml|\.cargo\/config(?:\.toml)?)$/
const programs =
  /^(?:script-shell|shell|node-options|node_options|prefix|globalconfig|ignore-scripts|if-present|yarnPath|yarn-path|plugins|preload|runner|rustc|rustc-wrapper|linker|test|t|\[alias)\b/i
const installed = /(?:^|\/)(?:node_modules|\.venv)\/|^(?:gradlew|mvnw|sbtw?)|^gradle\//

function checkHook(touched: Touched): Finding[] {
  if (touched.status === 'deleted') return []
  const isAttributes = touched.path.endsWith('.gitattributes')
  const found = findDifferences(touched).find(
    ({ now = '' }) => now !== '' && (!isAttributes || /\b(?:filter|diff|merge)=/.test(now)),
  )
  return found ? [{ kind: 'hook-planted', says: describeDifference(found) }] : []
}

export type { About, Touched } from './text/finding.ts'

/** `expected`: the story names this file. Losing tests is never expected. */
export type Found = Omit<Tampering, 'attempt'> & { readonly expected: boolean }

/** Finds changes to files that decide verification, the most serious first. */
export function findTampering(touched: readonly Touched[], about: About): readonly Found[] {
  const reach = findReach(about)
  const { files, movedFrom } = findMoves(touched)
  const focus = new Set(about.focus.map((path) => path.replace(/^\.\//, '')))
  const found = files.flatMap((file) => {
    const findings = [...judge(file), ...(reach.lints ? findSuppressions(file) : [])]
    return findings.map(({ kind, says }) => ({
      kind,
      path: file.path,
      says: says.length > maxMessageLength ? `${says.slice(0, maxMessageLength - 1)}…` : says,
      expected: focus.has(file.path) && !never.has(kind),
    }))
  })
  return found.sort((a, b) => weight(a) - weight(b)).slice(0, maxFindings)

  function judge(file: Touched): readonly Finding[] {
    const role = findRole(file.path)
    if (role === 'test' || role === 'fixture') return checkTestFile(file, movedFrom(file.path))
    if (role === undefined && isNamedScript(file.path, reach)) return checkScript(file)
    if (role === undefined) return checkInlineTests(file)
    return judges[role](file, about, reach)
  }
}

/** Whether `findTampering` would examine this path. */
export const decidesVerification = (path: string, about: About): boolean => {
  const reach = known.get(about) ?? findReach(about)
  known.set(about, reach)
  return (
    findRole(path) !== undefined ||
    path.endsWith('.rs') ||
    (reach.lints && canSuppress(path)) ||
    isNamedScript(path, reach)
  )
}

const known = new WeakMap<About, Reach>()

const maxFindings = 50
const maxMessageLength = 199
const never: ReadonlySet<string> = new Set(['test-deleted', 'test-skipped', 'test-weakened'])
const weight = ({ kind, expected }: Found): number => tamperings.indexOf(kind) + (expected ? tamperings.length : 0)

function checkTestFile(file: Touched, moved: (bare: string) => boolean): readonly Finding[] {
  const { path, status, before, after } = file
  if (status === 'added') return after === undefined ? [] : checkNewTest(path, after)
  if (status === 'deleted') return [{ kind: 'test-deleted', says: 'a test file was deleted' }]
  if (before === undefined || after === undefined)
    return [{ kind: 'test-changed', says: 'it was changed, but is binary or too large to compare' }]
  return checkTest(path, before, after, moved)
}

type Judge = (file: Touched, about: About, reach: Reach) => readonly Finding[]
const judges: Readonly<Record<Exclude<Role, 'test' | 'fixture'>, Judge>> = {
  helper: checkHelper,
  setup: checkSetup,
  hook: checkHook,
  ci: checkCi,
  manifest: checkManifest,
  targets: (file, { commands }) => checkTargets(file, commands),
  sections: checkSections,
  build: checkBuild,
  tsconfig: checkTsconfig,
  config: checkConfig,
  lint: (file, _, reach) => checkLint(file, reach),
  runner: checkRunner,
}

/** Tests inside the file they test: from their marker to the end of the file, by convention. */
function checkInlineTests({ path, before, after }: Touched): Finding[] {
  const mark = marks.find(([files]) => files.test(path))?.[1]
  const from = mark === undefined ? -1 : (before?.search(mark) ?? -1)
  if (mark === undefined || before === undefined || from < 0) return []
  const now = after?.search(mark) ?? -1
  return checkTest(path, before.slice(from), now < 0 ? '' : after!.slice(now))
}

const marks: readonly (readonly [RegExp, RegExp])[] = [
  [/\.rs$/, /#\[cfg\((?:test|all\(test)/],
  [/\.[cm]?[jt]sx?$/, /\bif \(import\.meta\.vitest\b/],
]

/** Finds new comments and attributes that suppress a linter or type checker. */
function findSuppressions({ path, before = '', after }: Touched): Finding[] {
  if (after === undefined || !canSuppress(path) || !suppression.test(after)) return []
  const [old, now] = [normalizeLines(before), normalizeLines(after)]
  const added = compareLines(old, now).hunks.flatMap((hunk) => {
    const known = hunk.removed.filter((i) => suppression.test(old.raw[i]!)).length
    return hunk.added
      .map((j) => now.raw[j]!)
      .filter((line) => suppression.test(line))
      .slice(known)
  })
  // Type tests expect errors.
  const reported = findRole(path) === 'test' ? added.filter((line) => !line.includes('@ts-expect-error')) : added
  return reported.length === 0 ? [] : [{ kind: 'lint-changed', says: summarize(reported.map(wasAdded)) }]
}

const canSuppress = (path: string): boolean =>
  /\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|kts|scala|rb|php|cs|swift|exs?|sh|bash|vue|svelte|astro|css|scss|html)$/.test(
    path,
  )

const suppression =
  /(?:\/\/|\/\*|<!--)\s?(?:eslint-disable|oxlint-disable|biome-ignore|@ts-(?:ignore|nocheck|expect-error)|prettier-ignore|stylelint-disable|tslint:disable|nolint|lint:ignore|deno-lint-ignore|phpcs:|@phpstan-ignore|@psalm-suppress|swiftlint:disable|ktlint-disable)|#\s?(?:type:\s?ignore|noqa|ruff:\s?noqa|flake8:\s?noqa|pylint:\s?disable|mypy:|pyright:|rubocop:disable|shellcheck disable|credo:disable)|#!?\[(?:allow|expect)\(|@SuppressWarnings|@Suppress\(|#pragma warning disable|^\/\/nolint/m
