import { type Name, placeOf } from './run/paths.ts'
import { runCli } from './surfaces/cli/main.ts'

/** Starts the surface that was asked for. */
export async function main(argv: readonly string[], invokedAs: string): Promise<void> {
  process.exitCode = await runCli(argv, placeOf(invokedAs as Name))
}
