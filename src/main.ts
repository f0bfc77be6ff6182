import { type ProgramName, programNames } from './contract/programs.ts'
import { readEnvironment } from './machine/environment.ts'
import { openMachine } from './machine/open-machine.ts'
import { deliveryEntry } from './modes/delivery/entry.ts'
import { procedureEntry } from './modes/procedure/entry.ts'
import { refinementEntry } from './modes/refinement/entry.ts'
import { writingEntry } from './modes/writing/entry.ts'
import type { Environment } from './run/machine.ts'
import { renderHelpFiles } from './surfaces/cli/help.ts'
import { runCli } from './surfaces/cli/main.ts'

/** All modes of the program. `index.ts` names those of the library. */
const modes = [procedureEntry, deliveryEntry, refinementEntry, writingEntry]

/** Runs the command line and sets the exit code. `invokedAs` is the name the program was called by. */
export async function main(argv: readonly string[], invokedAs: string): Promise<void> {
  const name: ProgramName = programNames.find((known) => known === invokedAs) ?? 'pawl'
  const machine = openMachine(withDatabase(readEnvironment(name), argv), { modes })
  process.exitCode = await runCli(argv, { machine, modes }, modes)
  await machine.database?.close()
}

/** `--database-url` is read before the command line is parsed, because the machine is opened with it. */
function withDatabase(environment: Environment, argv: readonly string[]): Environment {
  const at = argv.findIndex((word) => word === '--database-url' || word.startsWith('--database-url='))
  if (at < 0) return environment
  const word = argv[at]!
  const url = word.includes('=') ? word.slice(word.indexOf('=') + 1) : argv[at + 1]
  return { ...environment, env: { ...environment.env, PAWL_DATABASE_URL: url } }
}

/** Returns the top-level help by file name. The build writes these files, so that help prints without loading anything. */
export const helpTexts = (): Readonly<Record<string, string>> => renderHelpFiles(modes)
