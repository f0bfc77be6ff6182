import type { ExitCode } from '../contract/exit.ts'
import type { Left } from '../kernel/policy.ts'
import type { LoopState } from '../kernel/state.ts'
import type { Reasons } from './mode.ts'

const signalExits: Readonly<Record<string, ExitCode>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** From how a run left to the exit code, in one place. */
export function exitOf(reasons: Reasons, left: Left<unknown>, signal?: string): ExitCode {
  switch (left.status) {
    case 'unsaved':
      return 20
    case 'interrupted':
      return signalExits[signal ?? ''] ?? 130
    case 'waiting':
      return left.view.state.question ? 10 : 20
    case 'ended':
      return endedExit(reasons, left.view.state)
  }
}

export function endedExit(reasons: Reasons, state: LoopState): ExitCode {
  const { ending, reason } = state.ended ?? { ending: 'failed', reason: '' }
  if (ending === 'completed') return 0
  if (ending === 'blocked') return 10
  if (ending === 'cancelled') return 130
  const exit = Object.hasOwn(reasons, reason) ? reasons[reason]!.exit : 30
  return typeof exit === 'function' ? exit(state) : exit
}
