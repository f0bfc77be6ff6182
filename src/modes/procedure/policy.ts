import type { Decision, LoopEvent, Outcome, Stop } from '../../contract/event.ts'
import type { ProcedureRequest } from '../../contract/request.ts'
import type { CapName, Caps } from '../../contract/values.ts'
import type { Policy, View } from '../../kernel/policy.ts'
import type { LoopState } from '../../kernel/state.ts'

/** What a procedure remembers: how its iterations ended, and what the last verdict was. */
export type ProcedureMemo = {
  readonly done: number
  readonly failed: number
  readonly interrupted: number
  readonly last: 'passed' | 'failed' | null
  readonly promised: boolean
}

/** Seed 002: one task an iteration; only the maximum, the failure threshold and a person end it, or `until`. */
export const procedurePolicy = (
  request: Pick<ProcedureRequest, 'until' | 'redIsFine' | 'agent'>,
  caps: Caps,
): Policy<ProcedureMemo> => ({
  name: 'procedure',
  version: 1,
  caps,
  memo: { done: 0, failed: 0, interrupted: 0, last: null, promised: false },
  fold: remember,
  pick: ({ state, memo }) =>
    reached(request.until, memo) ?? { id: `iteration-${state.tasks + 1}`, kind: 'work', via: request.agent.name },
  decide,
  whenSpent: (cap, view) => endBy(cap, view, request.redIsFine),
})

function remember(memo: ProcedureMemo, event: LoopEvent, before: LoopState): ProcedureMemo {
  if (event.type === 'run-reopened') return { ...memo, last: null, promised: false }
  if (event.type === 'verdict-reached' && event.verdict.status !== 'unavailable') {
    return { ...memo, last: event.verdict.status, promised: dataOf(before.outcome).promise === 'SUCCESS' }
  }
  if (event.type !== 'decision-made' || event.decision.do !== 'settle') return memo
  const { as } = event.decision
  return as === 'done' || as === 'failed' || as === 'interrupted' ? { ...memo, [as]: memo[as] + 1 } : memo
}

type Told = { readonly promise?: string; readonly exitCode?: number | null }
const dataOf = (outcome: Outcome | undefined): Told => (outcome?.data ?? {}) as Told

function reached(until: ProcedureRequest['until'], { last, promised }: ProcedureMemo): Stop | undefined {
  if (until === 'never' || last !== 'passed') return undefined
  if (until === 'gates') return { do: 'stop', ending: 'completed', reason: 'gates green' }
  return promised ? { do: 'stop', ending: 'completed', reason: 'promise kept, gates green' } : undefined
}

/** An interrupted iteration keeps its number and is not repeated; a limit is waited out. */
function decide({ state: { outcome, verdict } }: View<ProcedureMemo>): Decision {
  if (outcome?.status === 'unavailable') {
    const reason = dataOf(outcome).exitCode === null ? 'the agent could not be started' : 'usage limit'
    return { do: 'wait', until: outcome.retryAt ?? 0, reason }
  }
  if (outcome?.status === 'interrupted') return { do: 'settle', as: 'interrupted' }
  if (verdict?.status === 'unavailable') return { do: 'wait', until: 0, reason: 'a gate could not be run' }
  return { do: 'settle', as: verdict?.status === 'passed' ? 'done' : 'failed' }
}

function endBy(cap: CapName, { state, memo }: View<ProcedureMemo>, redIsFine: boolean): Decision {
  if (cap === 'taskMs' && state.task) return { do: 'settle', as: 'failed' }
  if (cap !== 'tasks') return { do: 'stop', ending: 'failed', reason: `cap spent: ${cap}` }
  const green = memo.last === 'passed' || redIsFine
  return { do: 'stop', ending: green ? 'completed' : 'failed', reason: 'reached max iterations' }
}
