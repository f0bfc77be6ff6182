import type { ChangedFile, Changes } from '../contract/changes.ts'
import type { Notice } from '../contract/show.ts'
import type { LoopState } from '../kernel/state.ts'
import { formatCount } from './format.ts'
import type { AttemptTotals } from './report/attempts.ts'
import type { FailureShown, WorkFacts } from './report/collect.ts'
import type { Report } from './show.ts'

/** The facts that notices are based on, for a run that changes a work tree. */
export type Noticed = {
  readonly failure: FailureShown | null
  readonly changes: Changes | null
  readonly totals: AttemptTotals
  /** max_cost or max_tokens is set. */
  readonly priced: boolean
  readonly over: boolean
  readonly activeMs: number
  readonly waitMs: number
}

export const gatherNoticed = ({ state, standing, facts }: Report<WorkFacts>): Noticed => ({
  failure: facts.failure,
  changes: facts.changes,
  totals: facts.totals,
  priced: isPriced(state),
  over: standing !== 'running',
  activeMs: state.activeMs,
  waitMs: state.waitMs,
})

const isPriced = ({ caps }: LoopState): boolean => caps.costUsd !== undefined || caps.tokens !== undefined

/** Failures first, then tampering, then wasted attempts, then leftovers. A mode may add its own notices in between. */
const weights = {
  'gate-failed': 100,
  'agent-failed': 100,
  'history-rewritten': 90,
  'bound-not-held': 60,
  'judge-changed': 50,
  'permission-denied': 40,
  'nothing-changed': 30,
  'not-committed': 25,
  'long-wait': 20,
  'cost-unknown': 10,
} as const
type Known = keyof typeof weights

const maxNotices = 3

/** Returns the most important notices, highest weight first. */
export const chooseNotices = (notices: readonly Notice[]): Notice[] =>
  notices.toSorted((a, b) => b.weight - a.weight).slice(0, maxNotices)

/** Returns all notices. `except`: those that the mode reports itself. */
export const workNotices = (noticed: Noticed, except: readonly Known[] = []): Notice[] =>
  rules.flatMap((rule) => rule(noticed) ?? []).filter(({ about }) => !(except as readonly string[]).includes(about))

type Rule = (noticed: Noticed) => Notice | undefined
const notice = (about: Known, says: string): Notice => ({ about, weight: weights[about], says, lines: [] })

const failed: Rule = ({ failure }) => {
  if (!failure) return undefined
  const { by, gate, task, command, detail, lines, log } = failure
  const what = by === 'gate' ? `gate ${(gate ?? 0) + 1} failed in ${task}` : `the agent failed in ${task}`
  const says = command ? `${what}: ${command}` : `${what}${detail ? `: ${detail}` : ''}`
  return { ...notice(by === 'gate' ? 'gate-failed' : 'agent-failed', says), lines, ...(lines.length > 0 && { log }) }
}

const rewritten: Rule = ({ changes }) => {
  if (changes?.history === 'rewritten') return notice('history-rewritten', 'commits made before the run were rewritten')
  if (changes?.history === 'lost')
    return notice('history-rewritten', 'the commit that the run started from no longer exists')
  return undefined
}

const unheld: Rule = ({ priced, totals }) =>
  priced && totals.unpriced > 0
    ? notice('bound-not-held', `${unknownCost(totals)}: the limit counts only the others`)
    : undefined

const judge: Rule = ({ changes }) => {
  const files = changes?.files ?? []
  const touched = files.filter(({ path, status }) => classifyPath(path) === 'test' && status !== 'added')
  const checks = files.filter(({ path }) => classifyPath(path) === 'check')
  const deleted = touched.filter(({ status }) => status === 'deleted').length
  const parts = [
    touched.length > deleted && `${formatCount(touched.length - deleted, 'test file')} changed`,
    deleted > 0 && (touched.length > deleted ? `${deleted} deleted` : `${formatCount(deleted, 'test file')} deleted`),
    checks.length > 0 && `${formatCount(checks.length, 'CI or check file')} changed`,
  ].filter((part) => part !== false)
  if (parts.length === 0) return undefined
  return notice('judge-changed', `${parts.join(', ')}: ${named([...touched, ...checks])}`)
}

const denied: Rule = ({ totals: { denials, deniedAttempts, denied: last } }) => {
  if (denials === 0) return undefined
  const says = `the agent was denied permission ${times(denials)}, in ${formatCount(deniedAttempts, 'attempt')}`
  return { ...notice('permission-denied', says), lines: last }
}

const idle: Rule = ({ totals: { unchanged, looked } }) =>
  unchanged > 0
    ? notice('nothing-changed', `${unchanged} of ${formatCount(looked, 'attempt')} changed no files`)
    : undefined

const uncommitted: Rule = ({ changes, over }) =>
  over && changes && changes.uncommitted > 0
    ? notice(
        'not-committed',
        `${formatCount(changes.uncommitted, 'file')} ${changes.uncommitted === 1 ? 'is' : 'are'} not committed`,
      )
    : undefined

const minute = 60_000
const waited: Rule = ({ activeMs, waitMs }) =>
  waitMs > activeMs && waitMs > minute
    ? notice('long-wait', `the run spent most of its time waiting: ${Math.round(waitMs / minute)} minutes`)
    : undefined

const unknown: Rule = ({ priced, totals }) =>
  !priced && totals.unpriced > 0 ? notice('cost-unknown', unknownCost(totals)) : undefined

const unknownCost = ({ calls, unpriced }: AttemptTotals): string =>
  `the cost of ${unpriced} of ${formatCount(calls, 'call')} is unknown`

const rules: readonly Rule[] = [failed, rewritten, unheld, judge, denied, idle, uncommitted, waited, unknown]

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
const maxShownFiles = 3
const named = (files: readonly ChangedFile[]): string =>
  files
    .slice(0, maxShownFiles)
    .map(({ path }) => path)
    .join(', ') + (files.length > maxShownFiles ? ` and ${files.length - maxShownFiles} more` : '')

/** Classifies a file: a test, or a config of CI or checks. A change to either may weaken the verification. */
export function classifyPath(path: string): 'test' | 'check' | 'other' {
  if (tests.some((pattern) => pattern.test(path))) return 'test'
  return checks.some((pattern) => pattern.test(path)) ? 'check' : 'other'
}

const tests = [
  /(?:^|\/)(?:tests?|__tests__|__snapshots__|e2e|testdata)\//i,
  // Not specifications in prose, which are often in folders of that name too.
  /(?:^|\/)specs?\/.*(?<!\.(?:md|mdx|txt|rst|adoc))$/i,
  /[._-](?:test|tests|spec|specs)\.[^/]+$/i,
  /(?:^|\/)test_[^/]+\.py$/,
  /(?:^|\/)conftest\.py$/,
  /(?:Test|Tests|Spec)\.(?:java|kt|cs|swift|scala|groovy|php)$/,
]

const checks = [
  /^\.(?:github|gitlab|circleci|buildkite|husky|ci)\//,
  /^(?:\.gitlab-ci|azure-pipelines|bitbucket-pipelines|\.travis|\.pre-commit-config|lefthook|codecov|sonar-project)\.[^/]+$/,
  /^(?:Jenkinsfile|Makefile|justfile|Justfile|Taskfile\.ya?ml)$/,
  /(?:^|\/)\.(?:pawl|rooda)\/config\.ya?ml$/,
  /(?:^|\/)(?:package\.json|tsconfig[^/]*\.json|biome\.jsonc?|knip\.jsonc?|pyproject\.toml|setup\.cfg)$/,
  /(?:^|\/)(?:pytest|tox|mypy)\.ini$/,
  /(?:^|\/)(?:vitest|jest|playwright|cypress|karma|eslint|prettier|webpack|rollup|vite)\.config\.[^/]+$/,
  /(?:^|\/)\.(?:eslintrc|prettierrc|oxlintrc|mocharc|nycrc|rubocop|golangci|flake8|coveragerc)[^/]*$/,
]
