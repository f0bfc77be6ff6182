import { swallows } from './text/commands.ts'
import { type Difference, findDifferences } from './text/compare.ts'
import { became, type Finding, summarize, type Touched, wasAdded, wasRemoved } from './text/finding.ts'
import { formatLine } from './text/normalize-lines.ts'
import { checkEntries, type Entries } from './text/scripts-diff.ts'

type Texts = Pick<Touched, 'before' | 'after' | 'status'>

/** A makefile or similar: targets that verification uses, and settings that apply to all targets. */
export function checkTargets({ path, before, after, status }: Touched, commands: readonly string[]): Finding[] {
  if (after === undefined) return [{ kind: 'script-changed', says: 'the file that defines the targets was deleted' }]
  // Make prefers GNUmakefile and makefile to Makefile, so a new one replaces the targets there.
  const isFirst = status === 'added' && !/(?:^|\/)(?:GNUm|m)akefile$/.test(path)
  const { '': was = '', ...old } = splitTargets(before ?? '')
  const { '': now = '', ...targets } = splitTargets(after)
  const [then, current] = [new Set(was.split('\n')), new Set(now.split('\n'))]
  const gone = [...then].find((line) => line !== '' && !current.has(line))
  const forAll = [...current].find((line) => general.test(line) && !then.has(line))
  const says = gone !== undefined ? wasRemoved(gone) : forAll !== undefined ? wasAdded(forAll) : undefined
  return [
    ...(says === undefined ? [] : [{ kind: 'script-changed' as const, says }]),
    ...checkEntries(isFirst ? undefined : old, targets, commands),
  ]
}
const general = /^(?:\.IGNORE|SHELL|MAKEFLAGS|\.SHELLFLAGS|set shell)\b/

/** Sections of test tools and linters in pyproject.toml, setup.cfg, tox.ini and Cargo.toml. */
export function checkSections({ before, after }: Texts): Finding[] {
  const [was, now] = [splitSections(before ?? ''), splitSections(after ?? '')]
  return [...new Set([...Object.keys(was), ...Object.keys(now)])].flatMap((name) => {
    const [old = '', text = ''] = [was[name], now[name]]
    const kind = sections.find(([, pattern]) => pattern.test(name))?.[0]
    if (old === text) return []
    if (kind && (old !== '' || loosens.test(text)))
      return [{ kind, says: `[${formatLine(name, 40)}]: ${describeSectionChange(old, text)}` }]
    const line = text.split('\n').find((each) => switches.test(each))
    return line === undefined || old.includes(line) ? [] : [{ kind: 'config-changed', says: wasAdded(line) }]
  })
}

const sections: readonly (readonly [Finding['kind'], RegExp])[] = [
  [
    'lint-changed',
    /^(?:tool\.)?(?:ruff|mypy|pylint|flake8|black|isort|pyright|basedpyright|bandit|pycodestyle)\b|^(?:workspace\.)?lints/i,
  ],
  [
    'script-changed',
    /^tool\.(?:pytest|coverage|tox|nox|poe|taskipy|hatch\.envs|pdm\.scripts|uv\.scripts)|^testenv|^tox\b|^scripts$/,
  ],
  ['config-changed', /^(?:tool:)?pytest|^coverage:|^profile\.test|^test$|^aliases$/],
]
const switches = /^(?:test|autotests|harness|doctest|bench)\s?=\s?false|^default-run\b/
export const loosens =
  /pass-?with-?no-?tests|--deselect|--ignore|(?:^|\s)-k\b|-p no:|collect_ignore|collect-only|norecursedirs|python_(?:files|functions)|testPathIgnore|exclude\w{0,20}\b[^\n]{0,200}\b(?:tests?|spec)|ignore_errors|allowOnly|fail_under ?= ?0|xfail/i

function describeSectionChange(before: string, after: string): string {
  const [was, now] = [before.split('\n'), after.split('\n')]
  const [old, current] = [new Set(was), new Set(now)]
  const [gone, added] = [was.find((line) => !current.has(line)), now.find((line) => !old.has(line))]
  if (gone === undefined) return wasAdded(added ?? '')
  return added === undefined ? wasRemoved(gone) : became(gone, added)
}

/** Build files, in which only some lines concern tests. */
export const checkBuild = (texts: Texts): Finding[] => {
  const found = findDifferences(texts).filter(({ was = '', now = '' }) => build.test(was) || build.test(now))
  return found.length === 0 ? [] : [{ kind: 'script-changed', says: summarize(found.map(describeDifference)) }]
}
const build =
  /skipTests|maven\.test|testFailureIgnore|failIfNo|surefire|failsafe|ignoreFailures|excludedGroups|<(?:skip|excludes?|includes?|groups)>|useJUnit|tasks?\.(?:named|withType)[(<]\W{0,3}[Tt]est|\btest \{|\bexclude(?:Tests|Tags|Categories|\(?\s?["'])|enabled ?= ?false|onlyIf|jacoco|filter \{|testTarget|test_paths|test_pattern|aliases|\btest:|add_test|enable_testing|TreatWarningsAsErrors|NoWarn|IsTestProject|failOnViolation/

/** A script that verification starts. */
export const checkScript = (texts: Texts): Finding[] => {
  if (texts.status === 'deleted')
    return [{ kind: 'script-changed', says: 'a script that verification starts was deleted' }]
  if (texts.status === 'added') return [{ kind: 'script-changed', says: 'a script that verification starts was added' }]
  const found = findDifferences(texts)
  const worst = found.find(({ now = '' }) => swallows(now)) ?? found[0]
  return worst ? [{ kind: 'script-changed', says: describeDifference(worst) }] : []
}

export const describeDifference = ({ was, now }: Difference): string =>
  was === undefined ? wasAdded(now ?? '') : now === undefined ? wasRemoved(was) : became(was, now)

/** Splits a makefile, justfile, Taskfile, Rakefile or noxfile by target. Lines outside any target have the name ''. */
const splitTargets = (text: string): Entries =>
  split(text, (line) => {
    for (const header of targets) {
      const name = header.exec(line)?.[1]
      if (name !== undefined) return name
    }
    return /^[\w.]+\s?[:+?]?=/.test(line) ? '' : undefined
  })
const targets = [
  /^\s*task\s+:?["']?([\w:-]+)/,
  /^def (\w+)/,
  /^@?([\w./%-]+)(?: [^:=]*)?:(?!=)/,
  /^ {2}([\w.:-]+):\s*$/,
]

/** Splits a TOML or INI file by section. */
const splitSections = (text: string): Entries => split(text, (line) => /^\[+\s?"?([^\]"]+)/.exec(line)?.[1]?.trim())

/** Skips comments and blank lines. */
function split(text: string, nameIn: (line: string) => string | undefined): Entries {
  const blocks = new Map<string, string[]>([['', []]])
  let lines = blocks.get('')!
  for (const line of text.split(/\r?\n/)) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const name = nameIn(line)
    if (name !== undefined) {
      lines = blocks.get(name) ?? []
      blocks.set(name, lines)
    }
    lines.push(line.trim())
  }
  return Object.fromEntries([...blocks].map(([name, block]) => [name, block.join('\n')]))
}
