import { type ExitCode, PawlError } from '../contract/exit.ts'
import type { FrozenAgent } from '../contract/request.ts'
import { findProgram } from '../machine/find-program.ts'
import type { Place } from './paths.ts'

/** How a missing program is refused: to a control plane it is a precondition, and no mistake in what it asked for. */
export type Missing = { readonly exit: ExitCode; readonly namedIn: 'configuration' | 'run input' }

export function checkProgram(place: Place, workspace: string, agent: FrozenAgent, missing: Missing): void {
  const [program] = agent.argv
  if (findProgram(program, workspace, place.env.PATH ?? '')) return
  throw new PawlError(missing.exit, `no such program: ${program}`, programHint(agent.name, missing.namedIn))
}

function programHint(agent: string, namedIn: Missing['namedIn']): string {
  if (agent === 'command') return 'It is the first word of ai_cmd: pawl config explain ai_cmd'
  if (agent === 'acp' && namedIn === 'run input')
    return 'Install it: it is the first word of agent.model_hint, or behind acp:'
  if (agent === 'acp') return 'It is the first word behind acp: in agent: pawl config explain agent'
  return `Install ${agent}, or choose another agent: pawl doctor tells what is there.`
}
