import type { Machine } from '../../../run/machine.ts'
import { checkProgram } from '../../../run/preflight.ts'
import { checkPrompts } from './prompt-file.ts'
import type { FrozenProcedure } from './request.ts'

/** Throws what would fail in every iteration: the agent's program is missing, or a prompt file cannot be read. */
export async function checkProcedure({ envelope, request }: FrozenProcedure, machine: Machine): Promise<void> {
  const { workspace } = envelope
  checkProgram(machine, workspace, request.agent, { exit: 30, namedIn: 'configuration' })
  checkPrompts(request, workspace)
}
