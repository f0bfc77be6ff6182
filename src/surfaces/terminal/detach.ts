import { detachRun } from '../../run/detach-run.ts'
import type { RunEntry } from '../../run/index-of-runs.ts'
import type { Invocation } from '../cli/command.ts'

/** Leaves the command to a process of its own and says how to find its run again. */
export async function detach(
  { place, io }: Invocation,
  words: readonly string[],
  candidates: () => readonly RunEntry[],
): Promise<0> {
  const { pid, run } = await detachRun(place, words, candidates)
  const { name: program } = place
  io.result({ run: run.id, dir: run.dir, pid, detached: true }, () => [
    `${run.name} goes on as ${run.id} (pid ${pid}); this terminal may be closed.`,
    `  watch   ${program} logs -f ${run.name}`,
    `  how     ${program} show ${run.name}`,
    `  stop    ${program} stop ${run.name}`,
  ])
  return 0
}

/** The command line as it was typed, without what has been dealt with already. */
export const wordsWithout = (...flags: readonly string[]): string[] =>
  process.argv.slice(2).filter((word) => !flags.includes(word))
