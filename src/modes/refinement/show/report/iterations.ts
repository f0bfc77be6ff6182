import type { Call, LoopEvent, Outcome, Verdict } from '../../../../contract/event.ts'
import type { Ref } from '../../../../contract/values.ts'
import type { Band, IssueMark } from '../../../../judging/scoring/score-data.ts'
import type { LoopState } from '../../../../kernel/state.ts'
import { attemptData, callData, scoreData } from '../../core/event-data.ts'

/** A score, its judge and its reliability. */
export type Judgement = {
  readonly score: number
  /** The standard error of the score. */
  readonly spread: number
  readonly band: Band
  readonly judge: string
  readonly evaluator: string
  readonly samples: number
  readonly calibrated: boolean
  readonly selfJudged: boolean
  readonly unverified: number
  readonly vetoes: readonly string[]
  readonly dimensions: Readonly<Record<string, number>>
  /** True for the best text of its phase so far. */
  readonly better: boolean
}

/** One iteration. Null means unknown. */
export type IterationRow = {
  readonly iteration: number
  readonly phase: number
  readonly model: string
  readonly startedAt: number
  /** Null while it is running. */
  outcome: Outcome['status'] | null
  /** Path of the text in the run's folder. */
  output: string | null
  judged: Judgement | null
  decision: string | null
  /** Tokens of all calls, including the judge's. */
  tokens: number | null
  judgeTokens: number | null
  costUsd: number | null
  /** Without waiting. */
  ms: number
}

/** Issues of the last scored text. */
export type LastIssues = { readonly marks: readonly IssueMark[]; readonly ledger: Ref | null }

const maxRows = 500

/** Collects iterations from events. An unanswered call is not an iteration. */
export function createIterations() {
  let rows: IterationRow[] = []
  let issues: LastIssues = { marks: [], ledger: null }
  let since = 0

  function see(event: LoopEvent, before: LoopState): void {
    if (event.chore) return
    if (event.type === 'attempt-started') {
      since = activeAt(event, before)
      rows = [...rows.filter(({ outcome }) => outcome !== null), newRow(event, before)].slice(-maxRows)
    }
    const row = rows.at(-1)
    if (!row) return
    if (event.type === 'call-ended') addCall(row, event.call)
    if (event.type === 'attempt-ended') addOutcome(row, event.outcome)
    if (event.type === 'verdict-reached' && row.outcome !== null) addVerdict(row, event.verdict)
    if (event.type === 'decision-made' && before.task && row.outcome !== null) addDecision(row, event, before)
  }

  function addOutcome(row: IterationRow, outcome: Outcome): void {
    const { crossing } = attemptData(outcome)
    const made = !crossing && outcome.status !== 'unavailable' && outcome.status !== 'interrupted'
    if (!made) rows = rows.slice(0, -1)
    row.outcome = outcome.status
    row.output = outcome.output?.path ?? null
  }

  function addVerdict(row: IterationRow, verdict: Verdict): void {
    row.judged = readJudgement(verdict)
    const scored = scoreData(verdict)
    if (scored) issues = { marks: scored.issues, ledger: scored.ledger }
  }

  function addDecision(
    row: IterationRow,
    event: Extract<LoopEvent, { type: 'decision-made' }>,
    before: LoopState,
  ): void {
    const { decision } = event
    // A decision after an unanswered call does not belong to a text.
    const unmade = before.outcome?.status === 'unavailable' || before.outcome?.status === 'interrupted'
    if (unmade || decision.do === 'pause' || decision.do === 'raise') return
    row.decision = decision.do === 'settle' ? decision.as : decision.do
    row.ms = activeAt(event, before) - since
  }

  return { see, rows: (): readonly IterationRow[] => rows, issues: () => issues }
}

const activeAt = ({ ms }: LoopEvent, { activeMs, wait }: LoopState): number => activeMs + (wait ? 0 : ms)

const newRow = ({ task, at, ...event }: LoopEvent, { attempts }: LoopState): IterationRow => ({
  iteration: attempts + 1,
  phase: Number(/^phase-([0-9]+)$/.exec(task ?? '')?.[1] ?? 1),
  model: event.type === 'attempt-started' ? event.via : '',
  startedAt: at,
  outcome: null,
  output: null,
  judged: null,
  decision: null,
  tokens: null,
  judgeTokens: null,
  costUsd: null,
  ms: 0,
})

function addCall(row: IterationRow, call: Call): void {
  const { usage } = call
  const role = callData(call)?.role
  row.tokens = plus(row.tokens, usage.tokens)
  row.costUsd = plus(row.costUsd, usage.costUsd)
  if (role === 'judge' || role === 'calibrate') row.judgeTokens = plus(row.judgeTokens, usage.tokens)
}

const plus = (a: number | null, b: number | null): number | null => (b === null ? a : (a ?? 0) + b)

function readJudgement(verdict: Verdict): Judgement | null {
  const scored = scoreData(verdict)
  if (!scored) return null
  const { score, spread, band, judge, evaluator, samples, selfJudged, unverified } = scored
  const { vetoes, dimensions, better } = scored
  const calibrated = scored.calibration !== null
  return {
    score,
    spread,
    band,
    judge,
    evaluator,
    samples,
    calibrated,
    selfJudged,
    unverified,
    vetoes,
    dimensions,
    better,
  }
}
