import type { FrozenAgent } from '../contract/envelope.ts'
import { type ExitCode, PawlError } from '../contract/exit.ts'
import type { OwnText } from '../contract/programs.ts'
import type { Machine } from './machine.ts'

/** Exit code and wording for a missing program. For a control plane it is a failed precondition, not invalid input. */
export type Missing = { readonly exit: ExitCode; readonly namedIn: 'configuration' | 'run input' }

/** Throws if the program of an agent is not installed. */
export function checkProgram(
  { findProgram }: Pick<Machine, 'findProgram'>,
  workspace: string,
  { name, argv: [program] }: FrozenAgent,
  { exit, namedIn }: Missing,
): void {
  if (findProgram(program, workspace)) return
  throw new PawlError(exit, `no such program: ${program}`, programHint(name, namedIn), 'no_such_program')
}

function programHint(agent: string, namedIn: Missing['namedIn']): OwnText {
  if (agent === 'command') return (pawl) => `It is the first word of ai_cmd: ${pawl} config explain ai_cmd`
  if (agent === 'acp' && namedIn === 'run input')
    return 'Install it. It is the first word of agent.model_hint, or follows acp:'
  if (agent === 'acp') return (pawl) => `It is the first word after acp: in agent: ${pawl} config explain agent`
  return (pawl) => `Install ${agent}, or choose another agent. To see what is installed: ${pawl} doctor`
}
