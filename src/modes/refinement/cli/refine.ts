import { readStandardInput } from '../../../config/input/text-input.ts'
import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { refine } from '../start/start.ts'

/** Runs in the foreground and ends with the text or a diff. */
export const handle: Handler = async (invocation) => {
  const { program, args, options } = invocation
  const given = {
    ...options,
    what: args[0],
    cwd: process.cwd(),
    readStdin: () => readStandardInput(process.stdin),
  }
  return driveStarted(invocation, await refine.start(program.machine, given, createStarter(invocation)))
}
