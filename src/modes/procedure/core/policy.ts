import type { Decision, Stop } from '../../../contract/event.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import { computeBackOffMs } from '../../../judging/commands.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { outcomeData } from './event-data.ts'
import { emptyMemo, type ProcedureMemo, remember } from './memo.ts'
import type { StuckKind } from './reasons.ts'

type Terms = Pick<ProcedureRequest, 'until' | 'redIsFine' | 'agent' | 'stuck'>

/** Seed 002: one task an iteration; only the maximum, the failure threshold and a person end it, or `until`. */
export const procedurePolicy = (request: Terms, caps: Caps): Policy<ProcedureMemo> => ({
  name: 'procedure',
  version: 2,
  caps,
  memo: emptyMemo,
  fold: remember,
  pick: (view) =>
    reached(currentUntil(request, view.memo), view.memo) ??
    hopeless(request, view) ?? {
      id: `iteration-${view.state.tasks + 1}`,
      kind: 'work',
      via: view.memo.terms?.agent ?? request.agent.name,
    },
  decide,
  whenSpent: (cap, view) => decideOnSpentCap(cap, view, request),
})

const currentUntil = (request: Terms, memo: ProcedureMemo): Terms['until'] => memo.terms?.until ?? request.until

function reached(until: Terms['until'], { last, promise }: ProcedureMemo): Stop | undefined {
  if (until === 'never' || last !== 'passed') return undefined
  if (until === 'gates') return { do: 'stop', ending: 'completed', reason: { code: 'gates_green' } }
  return promise === 'SUCCESS' ? { do: 'stop', ending: 'completed', reason: { code: 'promise_kept' } } : undefined
}

/** Where going on would only burn money. The failure threshold, where it is reached as well, is the better name. */
function hopeless(request: Terms, { state, memo }: View<ProcedureMemo>): Stop | undefined {
  if (currentUntil(request, memo) !== 'never' && memo.promise === 'BLOCKED') {
    return { do: 'stop', ending: 'blocked', reason: { code: 'agent_blocked' } }
  }
  if (!request.stuck || state.failuresInARow >= (state.caps.failuresInARow ?? Infinity)) return undefined
  const stuck = findStuck(memo)
  return stuck && { do: 'stop', ending: 'failed', reason: { code: 'stuck', ...stuck } }
}

/** An interrupted iteration keeps its number and is not repeated; a limit is waited out. */
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

/** Where something else should have ended it, the maximum is no success, unless seed 002's rules are asked for. */
function decideOnSpentCap(cap: CapName, { state, memo }: View<ProcedureMemo>, request: Terms): Decision {
  if (cap === 'taskMs' && state.task) return { do: 'settle', as: 'failed' }
  if (cap !== 'tasks') return { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap } }
  const green = request.redIsFine || (currentUntil(request, memo) === 'never' && memo.last === 'passed')
  const reason = { code: 'max_iterations', iterations: state.tasks }
  return { do: 'stop', ending: green ? 'completed' : 'failed', reason }
}

const mostIdle = 2
const mostRepeats = 5
const mostTurns = 6

/** How iterations lead nowhere, and in how many of them; undefined while there is hope. */
function findStuck({
  idle,
  idleBy,
  marks,
}: Pick<ProcedureMemo, 'idle' | 'idleBy' | 'marks'>): { by: StuckKind; count: number } | undefined {
  if (idle >= mostIdle) return { by: idleBy ?? 'unchanged', count: idle }
  const repeats = marks.slice(-mostRepeats)
  if (repeats.length === mostRepeats && repeats[0] !== 'ok' && new Set(repeats).size === 1) {
    return { by: 'repeated', count: mostRepeats }
  }
  return alternates(marks.slice(-mostTurns)) ? { by: 'alternating', count: mostTurns } : undefined
}

const alternates = (marks: readonly string[]): boolean =>
  marks.length === mostTurns && new Set(marks).size === 2 && marks.every((mark, i) => mark === marks[i % 2])
