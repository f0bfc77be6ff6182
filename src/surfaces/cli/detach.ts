import { detachRun } from '../../app/detach-run.ts'
import type { Invocation } from './command.ts'

/** Leaves the run to a process of its own and says how to find it again. */
export async function detach(
  { place, io }: Invocation,
  run: { readonly id: string; readonly dir: string; readonly name: string },
  flags: readonly string[],
): Promise<0> {
  const pid = await detachRun(place, run, flags)
  const { name: program } = place
  io.result({ run: run.id, dir: run.dir, pid, detached: true }, () => [
    `${run.name} goes on as ${run.id} (pid ${pid}); this terminal may be closed.`,
    `  watch   ${program} logs -f ${run.name}`,
    `  how     ${program} show ${run.name}`,
    `  stop    ${program} stop ${run.name}`,
  ])
  return 0
}
