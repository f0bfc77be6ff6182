import { isReason, reasonExits } from '../contract/delivery/result.ts'
import type { ExitCode } from '../contract/exit.ts'
import { isRefineReason, refineReasons } from '../contract/refinement/reasons.ts'
import type { Left } from '../kernel/policy.ts'
import type { LoopState } from '../kernel/state.ts'

/** Bounds that say "come back later" rather than "this cannot work". */
const transientReasons = new Set(['cap spent: interruptionsInARow', 'cap spent: waitMs'])
const signalExits: Readonly<Record<string, ExitCode>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** From how a run left to the exit code, in one place. */
export function exitOf(left: Left<unknown>, signal?: string): ExitCode {
  switch (left.status) {
    case 'unsaved':
      return 20
    case 'interrupted':
      return signalExits[signal ?? ''] ?? 130
    case 'waiting':
      return left.view.state.question ? 10 : 20
    case 'ended':
      return endedExit(left.view.state)
  }
}

export function endedExit(state: LoopState): ExitCode {
  const { ending, reason } = state.ended ?? { ending: 'failed', reason: '' }
  if (ending === 'completed') return 0
  if (ending === 'blocked') return 10
  if (ending === 'cancelled') return 130
  if (isReason(reason)) return reasonExits[reason]
  if (isRefineReason(reason)) return refineReasons[reason]
  if (transientReasons.has(reason)) return 20
  // A run of failures that the agent made may pass tomorrow; one that a gate found will not by itself.
  return reason === 'cap spent: failuresInARow' && lastFailureWas(state) === 'agent' ? 20 : 30
}

const lastFailureWas = ({ verdict }: LoopState): unknown => (verdict?.data as { by?: unknown } | undefined)?.by
