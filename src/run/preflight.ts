import type { FrozenAgent } from '../contract/envelope.ts'
import { type ExitCode, PawlError } from '../contract/exit.ts'
import type { Machine } from './machine.ts'

/** How a missing program is refused: to a control plane it is a precondition, and no mistake in what it asked for. */
export type Missing = { readonly exit: ExitCode; readonly namedIn: 'configuration' | 'run input' }

/** Throws where the program of an agent is not on this machine. */
export function checkProgram(
  { findProgram }: Pick<Machine, 'findProgram'>,
  workspace: string,
  { name, argv: [program] }: FrozenAgent,
  { exit, namedIn }: Missing,
): void {
  if (findProgram(program, workspace)) return
  throw new PawlError(exit, `no such program: ${program}`, programHint(name, namedIn), 'no_such_program')
}

function programHint(agent: string, namedIn: Missing['namedIn']): string {
  if (agent === 'command') return 'It is the first word of ai_cmd: pawl config explain ai_cmd'
  if (agent === 'acp' && namedIn === 'run input')
    return 'Install it: it is the first word of agent.model_hint, or behind acp:'
  if (agent === 'acp') return 'It is the first word behind acp: in agent: pawl config explain agent'
  return `Install ${agent}, or choose another agent: pawl doctor tells what is there.`
}
