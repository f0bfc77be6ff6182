import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { count } from '../start/start.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options } = invocation
  const given = { to: args[0], ...(typeof options.command === 'string' && { command: options.command }) }
  return driveStarted(invocation, await count.start(program.machine, given, createStarter(invocation)))
}
