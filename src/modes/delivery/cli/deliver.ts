import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { deliver } from '../start/deliver.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options } = invocation
  const { agent, aiCmd, model, maxTime, maxCost, maxTokens, ...others } = options
  const flags = { agent, aiCmd, model, maxTime, maxCost, maxTokens }
  const given = { ...others, prd: args[0], cwd: process.cwd(), flags }
  return driveStarted(invocation, await deliver.start(program.machine, given, createStarter(invocation)))
}
