import type { FrozenAgent } from '../../../contract/envelope.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { OwnText } from '../../../contract/programs.ts'
import type { Machine } from '../../../run/machine.ts'
import { checkProgram } from '../../../run/preflight.ts'
import { checkPrompts } from './prompt-file.ts'
import type { FrozenProcedure, ProcedureDraft } from './request.ts'

/** Throws if every iteration would fail, or if the goal contradicts itself. */
export async function checkProcedure({ envelope, request }: FrozenProcedure, machine: Machine): Promise<void> {
  const { workspace } = envelope
  checkInstalled(machine, workspace, request.agent)
  checkDraft(request, workspace)
}

/** Throws if the program of the agent is not installed. */
export const checkInstalled = (machine: Machine, workspace: string, agent: FrozenAgent): void =>
  checkProgram(machine, workspace, agent, { exit: 30, namedIn: 'configuration' })

/** Throws if a prompt file cannot be read, or if the gates that should end the run do not exist. */
export function checkDraft(draft: ProcedureDraft, workspace: string): void {
  if (draft.until === 'gates' && draft.gates.length === 0) {
    throw new PawlError(
      30,
      'until: gates needs a gate, and none is configured',
      (_, folder) => addGate(folder),
      'no_gate',
    )
  }
  checkPrompts(draft, workspace)
}

/** Returns a warning if nothing but a bound can end the run. */
export const warnOfGoal = ({ until, gates }: Pick<ProcedureDraft, 'until' | 'gates'>): OwnText | undefined =>
  until === 'promise+gates' && gates.length === 0
    ? (_, folder) =>
        `no gate is configured, so this run cannot be done before its bounds: a promise without a gate proves nothing. ${addGate(folder)}`
    : undefined

const addGate = (folder: string): string =>
  `Add the command that checks the work to ${folder}/config.yml, such as: gates: ["npm test"]`
