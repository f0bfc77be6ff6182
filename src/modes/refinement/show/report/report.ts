import type { LoopEvent } from '../../../../contract/event.ts'
import type { RefinementRun } from '../../../../contract/request.ts'
import type { CapName, Ref } from '../../../../contract/values.ts'
import type { Policy, View } from '../../../../kernel/policy.ts'
import { advance, emptyView } from '../../../../kernel/step.ts'
import type { Standing } from '../../../../run/read-run.ts'
import { type Origins, originsAfter } from '../../../../show/origins.ts'
import { recordOf } from '../../../../show/report/told.ts'
import type { RefinementRequest } from '../../contract/request.ts'
import type { AttemptTold, CallTold, IssueMark } from '../../contract/told.ts'
import { bestOutput, type RefinementMemo } from '../../core/memo.ts'
import { outputOf, type RefinementResult } from '../../core/result.ts'
import { boundsOf, type RefineBound } from '../bounds.ts'
import { createIterations, type IterationRow } from './iterations.ts'
import { firedBound, type NextStep, nextSteps } from './next.ts'
import { type Turn, turnOf } from './turns.ts'

export type BoundRow = RefineBound & { readonly setBy: string | null; readonly fired: boolean }

/** How a refinement went, without a word of what it is about: ids, numbers, and where the words lie sealed. */
export type RefinementReport = {
  readonly preset: string
  readonly rules: Pick<RefinementRequest['rules'], 'stopScore' | 'escalateScore' | 'retries' | 'escalations'>
  readonly standing: Standing
  readonly reason: string | null
  readonly phases: { readonly done: number; readonly of: number | null }
  /** The iteration whose text the run has to show. */
  readonly best: IterationRow | null
  readonly output: RefinementResult['output']
  /** Of the last text that was scored. */
  readonly issues: readonly IssueMark[]
  readonly ledger: Ref | null
  readonly iterations: readonly IterationRow[]
  readonly turns: readonly Turn[]
  readonly bounds: readonly BoundRow[]
  /** The call that was not made, where the last one was not. */
  readonly unmade: { readonly crossing: 'soft' | 'hard'; readonly needsTokens: number | null } | null
  /** Models that left calls unanswered, and how many in a row. */
  readonly down: Readonly<Record<string, number>>
  readonly fault: string | null
  readonly question: { readonly topic: string; readonly choices: readonly string[] } | null
  /** How often people had a say, and how much of that the last text knew of. */
  readonly feedback: { readonly given: number; readonly told: number }
  /** Calls that left this machine. */
  readonly remote: { readonly calls: number; readonly bytes: number }
  readonly forkedFrom: RefinementRequest['parent'] | null
  readonly next: readonly NextStep[]
}

const mostTurns = 200

/** Pure: events in, a report out. */
export function refinementReport(
  { run_id: id, refinement }: RefinementRun,
  policy: Policy<RefinementMemo>,
  events: Iterable<LoopEvent>,
  standing: Standing,
): RefinementReport {
  const { rules, parent = null } = refinement
  const iterations = createIterations()
  const remote = { calls: 0, bytes: 0 }
  let turns: readonly Turn[] = []
  let origins: Origins = {}
  let view: View<RefinementMemo> = emptyView(policy)
  for (const event of events) {
    origins = originsAfter(origins, event)
    iterations.see(event, view.state)
    const turn = turnOf(event, view, rules)
    if (turn) turns = [...turns, turn].slice(-mostTurns)
    if (event.type === 'call-ended') addRemote(remote, recordOf(event.call.data))
    view = advance(view, event, policy)
  }
  const { state, memo } = view
  const { stopScore, escalateScore, retries, escalations } = rules
  const { marks: issues, ledger } = iterations.issues()
  const rows = iterations.rows()
  const output = outputOf({ view })
  const reason = state.ended?.reason ?? null
  const bounds = boundsOf(state, rules)
  return {
    preset: rules.preset,
    rules: { stopScore, escalateScore, retries, escalations },
    standing,
    reason,
    phases: { done: memo.accepted.length, of: memo.phases?.count ?? null },
    best: rows.findLast((row) => row.judged && row.output === bestOutput(memo)?.path) ?? null,
    output,
    issues,
    ledger,
    iterations: rows,
    turns,
    bounds: bounds.map((bound) => ({
      ...bound,
      setBy: origins[capOf[bound.name]] ?? null,
      fired: firedBound(reason ?? '') === bound.name,
    })),
    unmade: unmadeIn(view),
    down: memo.down,
    fault: memo.fault,
    question: state.question ? { topic: state.question.topic, choices: state.question.choices ?? [] } : null,
    feedback: { given: memo.heard, told: Math.min(memo.told, memo.heard) },
    remote,
    forkedFrom: parent,
    next: nextSteps({ id, standing, state, bounds, hasText: output !== null }),
  }
}

const capOf: Readonly<Record<RefineBound['name'], CapName>> = {
  iterations: 'attemptsPerRun',
  tokens: 'tokens',
  overhead: 'overheadTokens',
  cost: 'costUsd',
  time: 'activeMs',
}

function addRemote(sum: { calls: number; bytes: number }, { remote, bytes = 0 }: Partial<CallTold>): void {
  if (!remote) return
  sum.calls += 1
  sum.bytes += bytes
}

function unmadeIn({ state: { outcome } }: View<RefinementMemo>): RefinementReport['unmade'] {
  const { crossing, needsTokens }: Partial<AttemptTold> = recordOf(outcome?.data)
  return crossing ? { crossing, needsTokens: needsTokens ?? null } : null
}
