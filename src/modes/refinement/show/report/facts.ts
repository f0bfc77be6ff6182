import type { LoopEvent } from '../../../../contract/event.ts'
import type { Reason } from '../../../../contract/reasons.ts'
import type { Standing } from '../../../../contract/show.ts'
import type { Ref } from '../../../../contract/values.ts'
import type { IssueMark } from '../../../../judging/scoring/score-data.ts'
import type { View } from '../../../../kernel/policy.ts'
import { type Origins, originsAfter } from '../../../../show/origins.ts'
import type { RefinementRequest } from '../../contract/request.ts'
import { boundCaps, boundsOf, type RefineBound } from '../../core/bounds.ts'
import { attemptData, callData } from '../../core/event-data.ts'
import { bestOutput, type RefinementMemo } from '../../core/memo.ts'
import { outputOf, type RefinementResult } from '../../core/result.ts'
import { createIterations, type IterationRow } from './iterations.ts'
import { type Turn, turnOf } from './model-changes.ts'
import { firedBound, type NextStep, nextSteps } from './next.ts'
import type { TextFound } from './text-found.ts'

/** What `show --json` prints of a refinement. */
export type RefinementFacts = { readonly refinement: RefinementReport }

export type BoundRow = RefineBound & { readonly setBy: string | null; readonly fired: boolean }

/** How a refinement went, without a word of what it is about: ids, numbers, and where the words lie sealed. */
export type RefinementReport = {
  readonly preset: string
  readonly rules: Pick<RefinementRequest['rules'], 'stopScore' | 'escalateScore' | 'retries' | 'escalations'>
  readonly standing: Standing
  readonly reason: Reason | null
  readonly phases: { readonly done: number; readonly of: number | null }
  /** What the phases are called. */
  readonly titles: Ref | null
  /** The iteration whose text the run has to show. */
  readonly best: IterationRow | null
  readonly output: RefinementResult['output']
  readonly text: TextFound
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
  readonly question: { readonly topic: Reason; readonly choices: readonly string[] } | null
  /** How often people had a say, and how much of that the last text knew of. */
  readonly feedback: { readonly given: number; readonly told: number }
  /** Calls that left this machine. */
  readonly remote: { readonly calls: number; readonly bytes: number }
  readonly forkedFrom: RefinementRequest['parent'] | null
  readonly next: readonly NextStep[]
}

/** What is known of a run when all its events went by. `id` is the run's. */
export type Gathered = {
  readonly id: string
  readonly view: View<RefinementMemo>
  readonly standing: Standing
  readonly text: TextFound
}

const mostTurns = 200

/** Watches events go by; afterwards it tells how the refinement went. Bounded, however long the journal is. */
export function createRefinementFacts({ rules, parent }: Pick<RefinementRequest, 'rules' | 'parent'>) {
  const iterations = createIterations()
  let remote = { calls: 0, bytes: 0 }
  let turns: readonly Turn[] = []
  let origins: Origins = {}

  /** `before` is the view that the event came into. */
  function see(event: LoopEvent, before: View<RefinementMemo>): void {
    origins = originsAfter(origins, event)
    iterations.see(event, before.state)
    const turn = turnOf(event, before, rules)
    if (turn) turns = [...turns, turn].slice(-mostTurns)
    const call = event.type === 'call-ended' ? callData(event.call) : undefined
    if (call?.remote) remote = { calls: remote.calls + 1, bytes: remote.bytes + call.bytes }
  }

  function facts({ id, view, standing, text }: Gathered): RefinementFacts {
    const { state, memo } = view
    const { stopScore, escalateScore, retries, escalations } = rules
    const { marks: issues, ledger } = iterations.issues()
    const rows = iterations.rows()
    const output = outputOf({ view })
    const reason = state.ended?.reason ?? null
    const bounds = boundsOf(state, rules)
    const { question } = state
    return {
      refinement: {
        preset: rules.preset,
        rules: { stopScore, escalateScore, retries, escalations },
        standing,
        reason,
        phases: { done: memo.accepted.length, of: memo.phases?.count ?? null },
        titles: memo.phases?.titles ?? null,
        best: rows.findLast((row) => row.judged && row.output === bestOutput(memo)?.path) ?? null,
        output,
        text,
        issues,
        ledger,
        iterations: rows,
        turns,
        bounds: bounds.map((bound) => ({
          ...bound,
          setBy: origins[boundCaps[bound.name]] ?? null,
          fired: firedBound(reason) === bound.name,
        })),
        unmade: unmadeIn(view),
        down: memo.down,
        fault: memo.fault,
        question: question ? { topic: question.topic, choices: question.choices ?? [] } : null,
        feedback: { given: memo.heard, told: Math.min(memo.told, memo.heard) },
        remote,
        forkedFrom: parent ?? null,
        next: nextSteps({ id, standing, state, bounds, hasText: output !== null }),
      },
    }
  }
  return { see, facts }
}

function unmadeIn({ state }: View<RefinementMemo>): RefinementReport['unmade'] {
  const { crossing, needsTokens } = attemptData(state.outcome)
  return crossing ? { crossing, needsTokens: needsTokens ?? null } : null
}
