import type { RunRequest } from '../contract/request.ts'
import { delivery } from '../modes/delivery/mode.ts'
import { procedure } from '../modes/procedure/mode.ts'
import { refinement } from '../modes/refinement/mode.ts'
import { kernelReasons } from '../show/words.ts'
import { readFrozenRequest } from './frozen-request.ts'
import type { AnyMode, Bound, Commands, Reasons } from './mode.ts'
import type { Place } from './paths.ts'

/** The only place that names modes. */
const modes: Readonly<Record<RunRequest['mode'], AnyMode>> = { procedure, delivery, refinement }

export const modeOf = ({ mode }: Pick<RunRequest, 'mode'>): AnyMode => modes[mode]
export const bindMode = (request: RunRequest): Bound => modes[request.mode].bind(request)

/** The agents that a run was frozen with, the commands that judge them, whom it sends to. */
export const commandsIn = (request: RunRequest): Commands => bindMode(request).use((mode, own) => mode.commands(own))

/** What would fail in every iteration is said before the first one, and costs none. */
export const preflight = (place: Place, request: RunRequest): void =>
  bindMode(request).use((mode, own) => mode.preflight(place, own))

/** For whoever tells of a run. A request that is gone or was changed takes only its words along. */
export function reasonsOf(dir: string): Reasons {
  try {
    return modeOf(readFrozenRequest(dir).original).reasons
  } catch {
    return kernelReasons
  }
}
