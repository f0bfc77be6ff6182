import type { Answer, Finding, Reading } from './read-reply.ts'
import type { Issue } from './score-data.ts'
import { collapseSpaces, isQuotedFrom, isSameMeaning } from './text-similarity.ts'

const maxIssues = 20
/** In later iterations, a new finding about old text does not block. */
const lastBlockingIteration = 2

export type Found = {
  readonly known: readonly Issue[]
  readonly readings: readonly Pick<Reading, 'findings' | 'answers'>[]
  /** Within the phase, counted from 1. */
  readonly iteration: number
  readonly text: string
  readonly base?: string | undefined
}

/** Updates the issues of a phase after a judgement: answered, found again and new ones. */
export function updateIssues(found: Found): readonly Issue[] {
  const { known, readings } = found
  const findings = sortFindings(
    readings.flatMap((reading) => reading.findings),
    found.text,
  )
  const answered = known.map((issue) => ({
    ...issue,
    ...stateAfter(issue, {
      answers: readings.flatMap(({ answers }) => (Object.hasOwn(answers, issue.id) ? [answers[issue.id]!] : [])),
      isFoundAgain: findings.some((finding) => isSame(finding, issue)),
    }),
  }))
  return limitIssues([
    ...answered,
    ...newIssues(
      findings.filter((one) => !known.some((issue) => isSame(one, issue))),
      found,
    ),
  ])
}

export const isBlocking = ({ state, severity, late }: Issue): boolean =>
  state === 'open' && severity === 'major' && !late

/** A finding that recurs is open, whatever the answers say. Otherwise the majority decides; a tie keeps the state. */
function stateAfter(
  { state, reopened }: Issue,
  { answers, isFoundAgain }: { answers: readonly Answer[]; isFoundAgain: boolean },
): Pick<Issue, 'state' | 'reopened'> {
  const fixed = answers.filter((answer) => answer === 'fixed').length
  const other = answers.length - fixed
  const now = isFoundAgain || other > fixed ? 'open' : fixed > other ? 'fixed' : state
  return { state: now, reopened: reopened + (state === 'fixed' && now === 'open' ? 1 : 0) }
}

function newIssues(findings: readonly Finding[], { known, iteration, base }: Found): readonly Issue[] {
  const before = base === undefined || iteration <= lastBlockingIteration ? undefined : collapseSpaces(base)
  const last = Math.max(0, ...known.map(({ id }) => Number(id.slice(1))))
  const distinct = findings.filter((one, at) => !findings.slice(0, at).some((earlier) => isSame(one, earlier)))
  return distinct.map((finding, index) => ({
    id: `I${last + index + 1}`,
    state: 'open',
    reopened: 0,
    raisedIn: iteration,
    ...finding,
    // An empty quote matches every text: something missing now was missing before.
    ...(before !== undefined && isQuotedFrom(unshortened(finding.quote), before) && { late: true }),
  }))
}

/** True for the same quote, or nearly the same words about the problem. */
const isSame = (one: Pick<Finding, 'quote' | 'problem'>, other: Pick<Finding, 'quote' | 'problem'>): boolean =>
  (one.quote !== '' && one.quote === other.quote) || isSameMeaning(one.problem, other.problem)

/** Sorts by severity and position in the text, so that the order of judgements does not matter. */
function sortFindings(findings: readonly Finding[], text: string): readonly Finding[] {
  const words = collapseSpaces(text)
  const key = ({ severity, quote, problem }: Finding): string =>
    `${severity} ${String(words.indexOf(unshortened(quote))).padStart(8, '0')} ${problem} ${quote}`
  const keyed = findings.map((finding) => ({ finding, key: key(finding) }))
  return keyed
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0))
    .map(({ finding }) => finding)
}

const unshortened = (quote: string): string => (quote.endsWith('…') ? quote.slice(0, -1) : quote)

/** Drops the oldest fixed issues first, then minor ones. */
function limitIssues(issues: readonly Issue[]): readonly Issue[] {
  const open = issues.filter(({ state }) => state === 'open')
  const byPriority = [
    ...open.filter(({ severity }) => severity === 'major'),
    ...open.filter(({ severity }) => severity === 'minor'),
    ...issues.filter(({ state }) => state === 'fixed').reverse(),
  ]
  const kept = new Set(byPriority.slice(0, maxIssues))
  return issues.filter((issue) => kept.has(issue))
}
