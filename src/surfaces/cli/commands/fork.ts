import { parseHumanText } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { forkRun } from '../../../run/actions/fork.ts'
import { machineAt } from '../../../run/machine.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../terminal/command.ts'
import { detachRun } from '../../terminal/detach.ts'
import { driveRun } from '../../terminal/drive-run.ts'

export const handle: Handler = async (invocation) => {
  const { args, options, io } = invocation
  const { program: called } = invocation.program.machine.environment
  const parent = await findRun(invocation.program.machine, args[0], 'act')
  const { id, name, workspace } = parent.entry
  const program = { ...invocation.program, machine: machineAt(invocation.program.machine, workspace) }
  if (typeof options.feedback !== 'string') {
    throw new PawlError(2, 'fork needs --feedback', `For example: ${called} fork ${name} --feedback "Shorter"`)
  }
  const feedback = parseHumanText(options.feedback, 'the feedback')
  const trust = options.trust === true
  const forked = await forkRun(program, parent, { at: parseSeq(options.at, called), feedback, trust })
  const { run: stored, at, notices } = forked
  io.err(`${called}: ${stored.entry.id} continues from event ${at} of ${id}`)
  for (const notice of notices) io.err(`${called}: ${notice}`)
  const there = { ...invocation, program }
  return options.detach === true ? detachRun(there, stored) : driveRun(there, { stored })
}

function parseSeq(at: unknown, program: string): number | undefined {
  if (at === undefined) return undefined
  if (typeof at === 'string' && /^[1-9][0-9]{0,8}$/.test(at)) return Number(at)
  throw new PawlError(2, '--at takes the number of an event', `To see the numbers (seq): ${program} logs --json`)
}
