import { PawlError } from '../../../contract/exit.ts'
import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { deliver } from '../start/deliver.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options } = invocation
  const { agent, aiCmd, model, maxTime, maxCost, maxTokens, ...others } = options
  const flags = { agent, aiCmd, model, maxTime, maxCost, maxTokens }
  if (options.clone !== undefined && !invocation.queue) throw new PawlError(2, '--clone needs --queue')
  const given = { ...others, prd: args[0], cwd: process.cwd(), flags }
  return driveStarted(invocation, await deliver.start(program.machine, given, createStarter(invocation)))
}
