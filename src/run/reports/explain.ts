import type { LoopEvent } from '../../contract/event.ts'
import type { UnderWay } from '../../contract/show.ts'
import type { Caps } from '../../contract/values.ts'
import { judging, type LoopState } from '../../kernel/state.ts'
import { type Origins, updateOrigins } from '../../show/origins.ts'
import { toTexts } from '../../show/report/attempts.ts'
import { toRecord, withDetail } from '../../show/report/gates.ts'
import type { LastAttempt, Report, Rule } from '../../show/show.ts'

export type Explained = Pick<Report<never>, 'rule' | 'last' | 'underWay' | 'origins'> & {
  readonly startedAt: number | null
  readonly lastAt: number | null
  readonly leftBy: string | undefined
}

/** Collects events of a run and then explains why it stopped, waits or asks. */
export function createExplainer() {
  let origins: Origins = {}
  let decided: Extract<LoopEvent, { type: 'decision-made' }> | undefined
  let last: LastAttempt | null = null
  let first: LoopEvent | undefined
  let latest: LoopEvent | undefined
  let began = 0

  function see(event: LoopEvent): void {
    first ??= event
    latest = event
    origins = updateOrigins(origins, event)
    if (event.type === 'attempt-started' || event.type === 'attempt-ended') began = event.at
    if (event.type === 'decision-made') decided = event
    // A chore is only mentioned if it failed.
    if (event.chore && (event.type !== 'attempt-ended' || event.outcome.status === 'ok')) return
    if (event.type === 'attempt-ended') {
      const { task, attempt, outcome } = event
      const denials = readDenials(outcome.data)
      last = { task: task ?? '', attempt: attempt ?? 0, outcome: withDetail(outcome), verdict: null, ...denials }
    }
    if (event.type === 'verdict-reached' && last) last = { ...last, verdict: withDetail(event.verdict) }
  }

  function explain(state: LoopState, isRunning: boolean): Explained {
    const ruled = decided && (state.ended || state.question) ? findRule(decided, state.caps, origins) : null
    return {
      rule: ruled,
      last,
      underWay: isRunning ? findCurrentStep(state, began) : null,
      origins,
      startedAt: first?.at ?? null,
      lastAt: latest?.at ?? null,
      leftBy: latest?.type === 'run-interrupted' ? latest.by : undefined,
    }
  }
  return { see, explain }
}

/** The denied actions that a mode put into its data. */
function readDenials(data: unknown): Pick<LastAttempt, 'denials'> {
  const denials = toTexts(toRecord(data).denials)
  return denials.length > 0 ? { denials } : {}
}

function findCurrentStep(state: LoopState, since: number): UnderWay | null {
  const { task, attempt, running } = state
  if (!task || !(running || judging(state))) return null
  return { doing: running ? 'attempt' : 'evaluate', task: task.id, attempt, since }
}

function findRule(
  { decision, by, seq }: Extract<LoopEvent, { type: 'decision-made' }>,
  caps: Caps,
  origins: Origins,
): Rule {
  const bounds: Readonly<Record<string, number | undefined>> = caps
  const reason = decision.do === 'stop' ? decision.reason : decision.do === 'pause' ? decision.question.topic : null
  return { by, decision: decision.do, reason, bound: bounds[by] ?? null, setBy: origins[by] ?? null, seq }
}
