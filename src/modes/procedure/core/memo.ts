import type { LoopEvent, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { type AmendedTerms, amendedTerms, outcomeData, verdictData } from './event-data.ts'

/** The policy's memory: counts, durations and the results of the latest iterations. */
export type ProcedureMemo = {
  readonly done: number
  readonly failed: number
  readonly interrupted: number
  readonly last: 'passed' | 'failed' | null
  readonly promise: string | null
  /** Iterations in a row in which the agent succeeded but changed nothing or was denied permission. */
  readonly idle: number
  readonly idleBy: 'unchanged' | 'denied' | null
  /** Results of the latest iterations, newest last: `ok` or the fingerprint of the failure. */
  readonly marks: readonly string[]
  readonly startedAt: number
  readonly lastAt: number
  readonly elapsedMs: readonly number[]
  /** Changes made on resume. */
  readonly terms: AmendedTerms | null
}

export const emptyMemo: ProcedureMemo = {
  done: 0,
  failed: 0,
  interrupted: 0,
  last: null,
  promise: null,
  idle: 0,
  idleBy: null,
  marks: [],
  startedAt: 0,
  lastAt: 0,
  elapsedMs: [],
  terms: null,
}

const maxMarks = 6
const maxDurations = 1000

export function foldEvent(memo: ProcedureMemo, event: LoopEvent, before: LoopState): ProcedureMemo {
  switch (event.type) {
    case 'run-started':
      return { ...memo, startedAt: event.at }
    case 'run-reopened':
      return { ...memo, last: null, promise: null, idle: 0, idleBy: null, marks: [] }
    case 'verdict-reached':
      return event.verdict.status === 'unavailable' ? memo : foldVerdict(memo, before.outcome, event.verdict)
    case 'run-resumed':
    case 'run-interrupted':
    case 'run-ended':
    case 'task-picked':
    case 'attempt-started':
    case 'attempt-ended':
    case 'call-ended':
    case 'wait-ended':
      return memo
    case 'decision-made':
      return event.decision.do === 'settle'
        ? foldSettled(memo, event.decision.as, event.at, before.taskMs + event.ms)
        : memo
    case 'note-received':
      return event.note.say === 'amend' ? { ...memo, terms: amendedTerms(event.note) } : memo
  }
}

function foldVerdict(memo: ProcedureMemo, outcome: Outcome | undefined, verdict: Verdict): ProcedureMemo {
  const { status } = verdict
  const mark = status === 'passed' ? 'ok' : (verdictData(verdict).mark ?? 'failed')
  return {
    ...memo,
    ...countIdle(memo, outcome),
    last: status === 'passed' ? 'passed' : 'failed',
    promise: outcomeData(outcome).promise ?? null,
    marks: [...memo.marks, mark].slice(-maxMarks),
  }
}

/** Ignores failed agents, which count as failures. An unknown `changed` counts as changed. */
function countIdle(memo: ProcedureMemo, outcome: Outcome | undefined): Pick<ProcedureMemo, 'idle' | 'idleBy'> {
  const { changed, denied } = outcomeData(outcome)
  if (outcome?.status !== 'ok') return memo
  const idleBy = denied ? 'denied' : changed === false ? 'unchanged' : null
  return { idle: idleBy ? memo.idle + 1 : 0, idleBy }
}

type Ended = 'done' | 'failed' | 'blocked' | 'interrupted'

function foldSettled(memo: ProcedureMemo, as: Ended, at: number, ms: number): ProcedureMemo {
  const counted = as === 'blocked' ? memo : { ...memo, [as]: memo[as] + 1 }
  return { ...counted, lastAt: at, elapsedMs: [...memo.elapsedMs, ms].slice(-maxDurations) }
}
