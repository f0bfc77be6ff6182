import type { View } from '../../../kernel/policy.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { iterationsBegun } from '../start/state-file.ts'

/** How far a procedure had come when somebody went on with it. */
export type Session = {
  readonly begun: number
  readonly completed: number
  readonly interrupted: number
  readonly activeMs: number
}

export function sessionSoFar({ state, memo }: View<unknown>): Session {
  const begun = iterationsBegun(state)
  const { done, failed } = memo as ProcedureMemo
  return { begun, completed: done + failed, interrupted: begun - done - failed, activeMs: state.activeMs }
}
