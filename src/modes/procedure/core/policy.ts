import type { Decision, Stop } from '../../../contract/event.ts'
import type { CapName, Caps } from '../../../contract/values.ts'
import { computeBackOffMs } from '../../../judging/commands.ts'
import type { Policy, View } from '../../../kernel/policy.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { outcomeData } from './event-data.ts'
import { emptyMemo, foldEvent, type ProcedureMemo } from './memo.ts'
import type { Missing, StuckKind } from './reasons.ts'

type Terms = Pick<ProcedureRequest, 'until' | 'redIsFine' | 'agent' | 'stuck' | 'gates'>

/** Seed 002: each iteration is one task. The run ends by `until`, the maximum, the failure threshold or a user. */
export const procedurePolicy = (request: Terms, caps: Caps): Policy<ProcedureMemo> => ({
  name: 'procedure',
  version: 3,
  caps,
  memo: emptyMemo,
  fold: foldEvent,
  pick: (view) =>
    decideDone(request, view.memo) ??
    decideHopeless(request, view) ?? {
      id: `iteration-${view.state.tasks + 1}`,
      kind: 'work',
      via: view.memo.terms?.agent ?? request.agent.name,
    },
  decide,
  whenSpent: (cap, view) => decideOnSpentCap(cap, view, request),
})

const currentUntil = (request: Terms, memo: ProcedureMemo): Terms['until'] => memo.terms?.until ?? request.until

/** Without a gate nothing is green, so nothing is done: an agent that exits with 0 or promises success proves nothing. */
function decideDone(request: Terms, memo: ProcedureMemo): Stop | undefined {
  const until = currentUntil(request, memo)
  if (until === 'never' || findMissing(request, memo)) return undefined
  const code = until === 'gates' ? 'gates_green' : 'promise_kept'
  return { do: 'stop', ending: 'completed', reason: { code } }
}

/** Returns the first thing that `until` still lacks. Undefined if the goal is reached. */
function findMissing(request: Terms, memo: ProcedureMemo): Missing | undefined {
  const until = currentUntil(request, memo)
  if (memo.done + memo.failed === 0) return 'iteration'
  if (until !== 'never' && request.gates.length === 0) return 'gates'
  if (memo.last !== 'passed') return 'green'
  return until === 'promise+gates' && memo.promise !== 'SUCCESS' ? 'promise' : undefined
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
  const { fault, worked } = outcomeData(outcome)
  if (fault === 'prompt') return { do: 'stop', ending: 'failed', reason: { code: 'prompt_unreadable' } }
  if (fault === 'login') return { do: 'stop', ending: 'blocked', reason: { code: 'not_logged_in' } }
  if (outcome?.status === 'unavailable') {
    if (outcome.retryAt === undefined) return { do: 'retry', afterMs: computeBackOffMs(state.interruptionsInARow) }
    const code = fault === 'limit' ? 'usage_limit' : 'agent_unavailable'
    return { do: 'wait', until: outcome.retryAt, reason: { code } }
  }
  if (outcome?.status === 'interrupted') return { do: 'settle', as: 'interrupted' }
  if (worked === false && outcome?.status !== 'timed-out')
    return { do: 'stop', ending: 'blocked', reason: { code: 'agent_did_nothing' } }
  if (verdict?.status === 'unavailable') return { do: 'wait', until: 0, reason: { code: 'command_unavailable' } }
  return { do: 'settle', as: verdict?.status === 'passed' ? 'done' : 'failed' }
}

/**
 * Reaching the maximum is a failure if something is missing. Under the rules of seed 002 only a run without a completed iteration
 * fails. The reason says what was missing.
 */
function decideOnSpentCap(cap: CapName, { state, memo }: View<ProcedureMemo>, request: Terms): Decision {
  if (cap === 'taskMs' && state.task) return { do: 'settle', as: 'failed' }
  const found = findMissing(request, memo)
  const missing = request.redIsFine && found !== 'iteration' ? undefined : found
  const more = missing && { missing }
  if (cap === 'tasks') {
    const reason = { code: 'max_iterations', iterations: state.tasks, ...more }
    return { do: 'stop', ending: missing ? 'failed' : 'completed', reason }
  }
  return { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap, ...(isBound(cap) && more) } }
}

/** Bounds that end a run before its goal. The others, such as failures in a row, say themselves what was wrong. */
const isBound = (cap: CapName): boolean => cap === 'activeMs' || cap === 'costUsd' || cap === 'tokens'

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
