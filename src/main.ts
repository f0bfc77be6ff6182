import { type ProgramName, programNames } from './contract/programs.ts'
import { readEnvironment } from './machine/environment.ts'
import { openMachine } from './machine/open-machine.ts'
import { deliveryEntry } from './modes/delivery/entry.ts'
import { procedureEntry } from './modes/procedure/entry.ts'
import { refinementEntry } from './modes/refinement/entry.ts'
import { renderHelpFiles } from './surfaces/cli/help.ts'
import { runCli } from './surfaces/cli/main.ts'

/** The modes there are. No other file of the program names them. */
const modes = [procedureEntry, deliveryEntry, refinementEntry]

/** Starts the surface that was asked for. */
export async function main(argv: readonly string[], invokedAs: string): Promise<void> {
  const name: ProgramName = programNames.find((known) => known === invokedAs) ?? 'pawl'
  const machine = openMachine(readEnvironment(name), { modes })
  process.exitCode = await runCli(argv, { machine, modes }, modes)
}

/** The top-level help by the name of its file, so that it is printed before anything is loaded. */
export const helpTexts = (): Readonly<Record<string, string>> => renderHelpFiles(modes)
