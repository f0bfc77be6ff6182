import type { ExitCode } from '../../../contract/exit.ts'
import { holdsVariable } from '../../../run/detach-run.ts'
import type { Invocation } from '../../../surfaces/cli/command.ts'
import { type Driven, drive } from '../../../surfaces/terminal/drive.ts'
import { readResultText } from '../start/result-text.ts'
import { showResult } from './show-result.ts'

/** Drives a refinement and hands its text over: on stdout, as a diff, or into the file that was named for it. */
export function driveRefinement(invocation: Invocation, run: Driven): Promise<ExitCode> {
  const { place, io } = invocation
  return drive(invocation, {
    ...run,
    aside: true,
    after: async (left) => {
      if (left.status !== 'ended') return undefined
      const { brief, ...finished } = await readResultText(place, run)
      // What a process of its own prints is kept in a file, and the text lies nowhere in the clear.
      const silent = place.env[holdsVariable] === '1'
      const quiet = { ...io, out: () => {}, content: () => {} }
      const { did } = showResult({ io: silent ? quiet : io, place }, brief, { run: run.id, ...finished })
      // Whoever asked for a file and did not get one must not read success from the exit code.
      return finished.completed && did === 'kept' ? 10 : undefined
    },
  })
}
