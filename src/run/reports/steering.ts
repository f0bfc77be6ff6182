import type { Bound, Standing } from '../../contract/show.ts'
import type { Steering } from '../../contract/web.ts'
import type { LoopState } from '../../kernel/state.ts'
import type { Mode } from '../mode.ts'
import { isPaused } from '../next-action.ts'

type Steered<Request> = {
  readonly standing: Standing
  readonly state: LoopState
  readonly request: Request
  readonly bounds: readonly Bound[]
  /** A process runs it now. */
  readonly owned: boolean
}

/** Decides what a person can do with a run from a page. Agents are started in a terminal only. */
export function decideSteering<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  { standing, state, request, bounds, owned }: Steered<Request>,
): Steering {
  const isOpen = state.ended === undefined
  const paused = isPaused(state)
  const hasAgents = mode.commands(request).agents.length > 0
  return {
    pause: isOpen && owned && !paused && state.question === undefined,
    unpause: isOpen && owned && paused,
    stop: isOpen,
    skipWait: isOpen && owned && state.wait !== undefined,
    feedback: isOpen && state.stop === undefined && mode.feedback === 'taken',
    resume: !owned && !hasAgents && standing !== 'completed' && (state.question === undefined || paused),
    fork: mode.fork !== undefined && !hasAgents,
    raise: isOpen ? bounds.map(({ cap, name, of, unit }) => ({ cap, name, of, unit })) : [],
  }
}
