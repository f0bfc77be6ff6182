import { resolve } from 'node:path'
import { type ExitCode, PawlError } from '../../../contract/exit.ts'
import { quoteShell } from '../../../show/format.ts'
import { createStarter } from '../../../surfaces/terminal/ask.ts'
import type { Handler } from '../../../surfaces/terminal/command.ts'
import { driveStarted } from '../../../surfaces/terminal/drive.ts'
import { execute } from '../start/execute.ts'
import { readRunId } from '../start/input/read-input.ts'
import { writeRefusal } from '../start/refusal.ts'

/** The machine contract of seed 004: every outcome, refusals included, is in `result.json` of the out-dir. */
export const handle: Handler = async (invocation) => {
  const { program, options, io, argv } = invocation
  const { machine } = program
  const { program: name } = machine.environment
  const [input, plan, outDir] = [readPath(options, 'input'), readPath(options, 'plan'), readPath(options, 'outDir')]
  try {
    const given = { input, plan, outDir, agent: options.agent, aiCmd: options.aiCmd }
    const started = await execute.start(machine, given, createStarter(invocation))
    return await driveStarted(invocation, started, { again: [name, ...argv].map(quoteShell).join(' ') })
  } catch (error) {
    const refusal = await writeRefusal(machine, outDir, error, readRunId(input))
    if (!io.json || !refusal) throw error
    // The last line of the stream is always the result.
    io.err(`${name}: ${refusal.detail}`)
    io.data({ result: { ...refusal, dir: outDir } })
    return refusal.exit as ExitCode
  }
}

function readPath(options: Readonly<Record<string, unknown>>, name: string): string {
  const given = options[name]
  const flag = name === 'outDir' ? '--out-dir' : `--${name}`
  if (typeof given === 'string' && given !== '') return resolve(given)
  throw new PawlError(
    2,
    `${flag} is missing`,
    (pawl) => `${pawl} execute --input <run-input.json> --plan <plan.json> --out-dir <dir>`,
  )
}
