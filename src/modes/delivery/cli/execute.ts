import { resolve } from 'node:path'
import { type ExitCode, PawlError } from '../../../contract/exit.ts'
import type { Handler } from '../../../surfaces/cli/command.ts'
import { drive } from '../../../surfaces/terminal/drive.ts'
import { quoted } from '../../../surfaces/terminal/quoted.ts'
import { prepareExecution } from '../start/execute.ts'
import { runIdIn } from '../start/input/read-input.ts'
import { writeRefusal } from '../start/refusal.ts'

/** The machine contract of seed 004: whatever becomes of it, `result.json` in the out-dir says so. */
export const handle: Handler = async (invocation) => {
  const { place, options, io } = invocation
  const [input, plan, outDir] = ['input', 'plan', 'outDir'].map((name) => pathIn(options, name))
  try {
    const asked = {
      input: input!,
      plan: plan!,
      outDir: outDir!,
      agent: textIn(options.agent),
      aiCmd: textIn(options.aiCmd),
    }
    const prepared = await prepareExecution(place, asked)
    try {
      const again = `${place.name} ${process.argv.slice(2).map(quoted).join(' ')}`
      return await drive({ ...invocation, place: { ...place, cwd: prepared.workspace } }, { ...prepared, again })
    } finally {
      prepared.lease.release()
    }
  } catch (error) {
    const refusal = writeRefusal(outDir!, error, runIdIn(input!))
    if (!io.json || !refusal) throw error
    // The last line of the stream is the result, whatever it is.
    io.err(`${place.name}: ${refusal.detail}`)
    io.data({ result: { ...refusal, dir: outDir } })
    return refusal.exit as ExitCode
  }
}

function pathIn(options: Readonly<Record<string, unknown>>, name: string): string {
  const given = options[name]
  const flag = name === 'outDir' ? '--out-dir' : `--${name}`
  if (typeof given === 'string' && given !== '') return resolve(given)
  throw new PawlError(
    2,
    `${flag} is missing`,
    'santiago execute --input <run-input.json> --plan <plan.json> --out-dir <dir>',
  )
}

const textIn = (given: unknown): string | undefined => (typeof given === 'string' ? given : undefined)
