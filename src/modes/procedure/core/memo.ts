import type { LoopEvent, Outcome, Verdict } from '../../../contract/event.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { type AmendedTerms, amendedTerms, outcomeData, verdictData } from './event-data.ts'

/** What a procedure remembers of its iterations: how they ended, how long they took, what the last ones came to. */
export type ProcedureMemo = {
  readonly done: number
  readonly failed: number
  readonly interrupted: number
  readonly last: 'passed' | 'failed' | null
  readonly promise: string | null
  /** Iterations in a row whose agent went well and changed nothing, or was denied what it wanted to do. */
  readonly idle: number
  readonly idleBy: 'unchanged' | 'denied' | null
  /** How the last iterations ended, newest last: `ok`, or a mark of the failure. */
  readonly marks: readonly string[]
  readonly startedAt: number
  readonly lastAt: number
  readonly elapsedMs: readonly number[]
  /** What a person changed when going on with the run. */
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

const mostMarks = 6
const mostDurations = 1000

export function remember(memo: ProcedureMemo, event: LoopEvent, before: LoopState): ProcedureMemo {
  switch (event.type) {
    case 'run-started':
      return { ...memo, startedAt: event.at }
    case 'run-reopened':
      return { ...memo, last: null, promise: null, idle: 0, idleBy: null, marks: [] }
    case 'verdict-reached':
      return event.verdict.status === 'unavailable' ? memo : judged(memo, before.outcome, event.verdict)
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
        ? settled(memo, event.decision.as, event.at, before.taskMs + event.ms)
        : memo
    case 'note-received':
      return event.note.say === 'amend' ? { ...memo, terms: amendedTerms(event.note) } : memo
  }
}

function judged(memo: ProcedureMemo, outcome: Outcome | undefined, verdict: Verdict): ProcedureMemo {
  const { status } = verdict
  const mark = status === 'passed' ? 'ok' : (verdictData(verdict).mark ?? 'failed')
  return {
    ...memo,
    ...idleness(memo, outcome),
    last: status === 'passed' ? 'passed' : 'failed',
    promise: outcomeData(outcome).promise ?? null,
    marks: [...memo.marks, mark].slice(-mostMarks),
  }
}

/** An agent that failed is counted as that; whether anything changed is known only where somebody could look. */
function idleness(memo: ProcedureMemo, outcome: Outcome | undefined): Pick<ProcedureMemo, 'idle' | 'idleBy'> {
  const { changed, denied } = outcomeData(outcome)
  if (outcome?.status !== 'ok') return memo
  const idleBy = denied ? 'denied' : changed === false ? 'unchanged' : null
  return { idle: idleBy ? memo.idle + 1 : 0, idleBy }
}

type Ended = 'done' | 'failed' | 'blocked' | 'interrupted'

function settled(memo: ProcedureMemo, as: Ended, at: number, ms: number): ProcedureMemo {
  const counted = as === 'blocked' ? memo : { ...memo, [as]: memo[as] + 1 }
  return { ...counted, lastAt: at, elapsedMs: [...memo.elapsedMs, ms].slice(-mostDurations) }
}
