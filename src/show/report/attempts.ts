import type { LoopEvent, Outcome } from '../../contract/event.ts'
import type { LoopState } from '../../kernel/state.ts'
import { toCount, toRecord, withDetail } from './gates.ts'

/** One attempt, formatted for people. null means unknown. */
export type AttemptRow = {
  readonly task: string
  readonly attempt: number
  readonly startedAt: number
  outcome: string
  verdict: string
  decision: string
  ms: number
  tokens: number | null
  costUsd: number | null
  changed: boolean | null
  denied: number | null
  /** The first denied actions: tool and argument. */
  denials: readonly string[]
}

/** Totals of all attempts, including those whose rows were dropped. */
export type AttemptTotals = {
  /** Rows made, one for each start of an agent. */
  started: number
  /** Those that count against the limits, as everywhere else. The others were interrupted or could not start. */
  attempts: number
  /** `looked`: ended attempts for which it is known whether they changed files. `unchanged`: those that did not. */
  looked: number
  unchanged: number
  denials: number
  deniedAttempts: number
  /** The last denied actions, newest last. */
  denied: readonly string[]
  calls: number
  unpriced: number
  /** The last known commit after an attempt. */
  head: string | null
}

const maxRows = 2000

/** Collects totals and only the last rows, so that a long journal needs no more memory. */
export function createAttempts() {
  const rows: AttemptRow[] = []
  const totals: AttemptTotals = {
    started: 0,
    attempts: 0,
    looked: 0,
    unchanged: 0,
    denials: 0,
    deniedAttempts: 0,
    denied: [],
    calls: 0,
    unpriced: 0,
    head: null,
  }

  /** The time that earlier attempts of the same task took. */
  let startedMs = 0

  function see(event: LoopEvent, before: LoopState): void {
    if (event.type === 'attempt-ended') seeHead(event.outcome)
    // A chore is not an attempt.
    if (event.chore) return
    if (event.type === 'attempt-started') {
      totals.started += 1
      rows.push(newRow(event))
      startedMs = before.taskMs + event.ms
      if (rows.length > 2 * maxRows) rows.splice(0, maxRows)
    }
    const row = rows.at(-1)
    if (!row) return
    if (event.type === 'call-ended') addCall(row, event.call.usage)
    if (event.type === 'attempt-ended') addOutcome(row, event.outcome)
    if (event.type === 'verdict-reached') row.verdict = withDetail(event.verdict).slice(0, maxLength)
    if (event.type === 'decision-made' && before.task) {
      row.decision = event.decision.do === 'settle' ? event.decision.as : event.decision.do
    }
    if (before.task && isPartOfAttempt(event)) row.ms = before.taskMs + event.ms - startedMs
  }

  function seeHead({ data }: Outcome): void {
    const { head } = toRecord(data)
    if (typeof head === 'string') totals.head = head
  }

  function addCall(row: AttemptRow, usage: { tokens: number | null; costUsd: number | null }): void {
    totals.calls += 1
    if (usage.tokens === null || usage.costUsd === null) totals.unpriced += 1
    row.tokens = plus(row.tokens, usage.tokens)
    row.costUsd = plus(row.costUsd, usage.costUsd)
  }

  function addOutcome(row: AttemptRow, outcome: Outcome): void {
    const { changed, denied, denials } = toRecord(outcome.data)
    row.outcome = withDetail(outcome).slice(0, maxLength)
    const counts = outcome.status === 'ok' || outcome.status === 'failed' || outcome.status === 'timed-out'
    if (counts) totals.attempts += 1
    row.changed = typeof changed === 'boolean' ? changed : null
    row.denied = toCount(denied)
    row.denials = toTexts(denials)
    totals.denied = [...totals.denied, ...row.denials].slice(-maxDenials)
    if (counts && row.changed !== null) totals.looked += 1
    if (counts && row.changed === false) totals.unchanged += 1
    if (row.denied) totals.deniedAttempts += 1
    totals.denials += row.denied ?? 0
  }

  return { see, kept: (): readonly AttemptRow[] => rows.slice(-maxRows), totals }
}

/** The time of an attempt ends with its verdict: what follows may be a wait. */
const isPartOfAttempt = ({ type }: LoopEvent): boolean =>
  type === 'attempt-ended' || type === 'verdict-reached' || type === 'call-ended'

const maxLength = 200
const maxDenials = 5
/** Returns the texts of a list that a mode put into its data. */
export const toTexts = (list: unknown): readonly string[] =>
  Array.isArray(list) ? list.filter((text): text is string => typeof text === 'string').slice(0, maxDenials) : []
const plus = (a: number | null, b: number | null): number | null => (b === null ? a : (a ?? 0) + b)

const newRow = ({ task, attempt, at }: LoopEvent): AttemptRow => ({
  task: task ?? '',
  attempt: attempt ?? 0,
  startedAt: at,
  outcome: '',
  verdict: '',
  decision: '',
  ms: 0,
  tokens: null,
  costUsd: null,
  changed: null,
  denied: null,
  denials: [],
})
