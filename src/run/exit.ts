import type { ExitCode } from '../contract/exit.ts'
import type { Left, View } from '../kernel/policy.ts'
import type { Reasons } from '../show/show.ts'

const signalExits: Readonly<Record<string, ExitCode>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** From how a run left to the exit code, in one place. `signal` is the name of the signal that stopped it. */
export function exitOf<Memo>(reasons: Reasons<Memo>, left: Left<Memo>, signal?: string): ExitCode {
  switch (left.status) {
    case 'unsaved':
      return 20
    case 'interrupted':
      return signalExits[signal ?? ''] ?? 130
    case 'waiting':
      return left.view.state.question ? 10 : 20
    case 'ended':
      return exitOfEnd(reasons, left.view)
  }
}

/** The exit code of a run that has ended. The mode's table knows its reasons. */
export function exitOfEnd<Memo>(reasons: Reasons<Memo>, view: View<Memo>): ExitCode {
  const { ended } = view.state
  if (ended?.ending === 'completed') return 0
  if (ended?.ending === 'blocked') return 10
  if (ended?.ending === 'cancelled') return 130
  const rule = ended && Object.hasOwn(reasons, ended.reason.code) ? reasons[ended.reason.code] : undefined
  return typeof rule?.exit === 'function' ? rule.exit(view) : (rule?.exit ?? 30)
}
