import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { start } from '../start/start.ts'

export const handle: Handler = async (invocation) => {
  const { program, args, options } = invocation
  // `--context` adds to the configured context instead of replacing it.
  const { context, fresh, dryRun, detach, trust, allowUnknownCost, ...flags } = options
  const given = { name: args[0], flags, context, cwd: process.cwd(), fresh, dryRun, detach, trust, allowUnknownCost }
  return driveStarted(invocation, await start.start(program.machine, given, createStarter(invocation)))
}
