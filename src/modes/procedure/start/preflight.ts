import type { Machine } from '../../../run/machine.ts'
import { checkProgram } from '../../../run/preflight.ts'
import { checkPrompts } from './prompt-file.ts'
import type { FrozenProcedure } from './request.ts'

/** Throws if every iteration would fail: the agent is not installed, or a prompt file cannot be read. */
export async function checkProcedure({ envelope, request }: FrozenProcedure, machine: Machine): Promise<void> {
  const { workspace } = envelope
  checkProgram(machine, workspace, request.agent, { exit: 30, namedIn: 'configuration' })
  checkPrompts(request, workspace)
}
