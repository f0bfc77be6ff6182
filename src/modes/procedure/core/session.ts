import type { View } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { ProcedureMemo } from './memo.ts'

/** Counts settled iterations, plus the current one if its agent has started. */
export const iterationsBegun = ({ tasks, task, running, outcome }: LoopState): number =>
  tasks + (task && (running || (outcome && outcome.status !== 'unavailable')) ? 1 : 0)

/** Progress of a procedure before it was resumed. */
export type Session = {
  readonly begun: number
  readonly completed: number
  readonly interrupted: number
  readonly activeMs: number
}

export function sessionSoFar({ state, memo: { done, failed } }: View<ProcedureMemo>): Session {
  const begun = iterationsBegun(state)
  return { begun, completed: done + failed, interrupted: begun - done - failed, activeMs: state.activeMs }
}
