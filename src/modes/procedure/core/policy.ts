import type { Decision, Stop } from '../../../contract/event.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import { computeBackOffMs } from '../../../judging/commands.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { outcomeData } from './event-data.ts'
import { emptyMemo, foldEvent, type ProcedureMemo } from './memo.ts'
import type { StuckKind } from './reasons.ts'

type Terms = Pick<ProcedureRequest, 'until' | 'redIsFine' | 'agent' | 'stuck'>

/** Seed 002: each iteration is one task. The run ends by `until`, the maximum, the failure threshold or a user. */
export const procedurePolicy = (request: Terms, caps: Caps): Policy<ProcedureMemo> => ({
  name: 'procedure',
  version: 2,
  caps,
  memo: emptyMemo,
  fold: foldEvent,
  pick: (view) =>
    decideDone(currentUntil(request, view.memo), view.memo) ??
    decideHopeless(request, view) ?? {
      id: `iteration-${view.state.tasks + 1}`,
      kind: 'work',
      via: view.memo.terms?.agent ?? request.agent.name,
    },
  decide,
  whenSpent: (cap, view) => decideOnSpentCap(cap, view, request),
})

const currentUntil = (request: Terms, memo: ProcedureMemo): Terms['until'] => memo.terms?.until ?? request.until

function decideDone(until: Terms['until'], { last, promise }: ProcedureMemo): Stop | undefined {
  if (until === 'never' || last !== 'passed') return undefined
  if (until === 'gates') return { do: 'stop', ending: 'completed', reason: { code: 'gates_green' } }
  return promise === 'SUCCESS' ? { do: 'stop', ending: 'completed', reason: { code: 'promise_kept' } } : undefined
}

/** Stops when more iterations would only cost money. Leaves it to the failure threshold if that is reached too. */
function decideHopeless(request: Terms, { state, memo }: View<ProcedureMemo>): Stop | undefined {
  if (currentUntil(request, memo) !== 'never' && memo.promise === 'BLOCKED') {
    return { do: 'stop', ending: 'blocked', reason: { code: 'agent_blocked' } }
  }
  if (!request.stuck || state.failuresInARow >= (state.caps.failuresInARow ?? Infinity)) return undefined
  const stuck = findStuck(memo)
  return stuck && { do: 'stop', ending: 'failed', reason: { code: 'stuck', ...stuck } }
}

/** An interrupted iteration keeps its number and is not repeated. A usage limit is waited out. */
function decide({ state }: View<ProcedureMemo>): Decision {
  const { outcome, verdict } = state
  const { fault } = outcomeData(outcome)
  if (fault === 'prompt') return { do: 'stop', ending: 'failed', reason: { code: 'prompt_unreadable' } }
  if (fault === 'login') return { do: 'stop', ending: 'blocked', reason: { code: 'not_logged_in' } }
  if (outcome?.status === 'unavailable') {
    if (outcome.retryAt === undefined) return { do: 'retry', afterMs: computeBackOffMs(state.interruptionsInARow) }
    const code = fault === 'limit' ? 'usage_limit' : 'agent_unavailable'
    return { do: 'wait', until: outcome.retryAt, reason: { code } }
  }
  if (outcome?.status === 'interrupted') return { do: 'settle', as: 'interrupted' }
  if (verdict?.status === 'unavailable') return { do: 'wait', until: 0, reason: { code: 'command_unavailable' } }
  return { do: 'settle', as: verdict?.status === 'passed' ? 'done' : 'failed' }
}

/** Reaching the maximum is a failure if `until` should have ended the run, except under the rules of seed 002. */
function decideOnSpentCap(cap: CapName, { state, memo }: View<ProcedureMemo>, request: Terms): Decision {
  if (cap === 'taskMs' && state.task) return { do: 'settle', as: 'failed' }
  if (cap !== 'tasks') return { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap } }
  const green = request.redIsFine || (currentUntil(request, memo) === 'never' && memo.last === 'passed')
  const reason = { code: 'max_iterations', iterations: state.tasks }
  return { do: 'stop', ending: green ? 'completed' : 'failed', reason }
}

const maxIdle = 2
const maxRepeats = 5
const maxTurns = 6

/** Returns why iterations make no progress, and how many. Undefined while they do. */
function findStuck({
  idle,
  idleBy,
  marks,
}: Pick<ProcedureMemo, 'idle' | 'idleBy' | 'marks'>): { by: StuckKind; count: number } | undefined {
  if (idle >= maxIdle) return { by: idleBy ?? 'unchanged', count: idle }
  const repeats = marks.slice(-maxRepeats)
  if (repeats.length === maxRepeats && repeats[0] !== 'ok' && new Set(repeats).size === 1) {
    return { by: 'repeated', count: maxRepeats }
  }
  return alternates(marks.slice(-maxTurns)) ? { by: 'alternating', count: maxTurns } : undefined
}

const alternates = (marks: readonly string[]): boolean =>
  marks.length === maxTurns && new Set(marks).size === 2 && marks.every((mark, i) => mark === marks[i % 2])
