import { PawlError } from '../../contract/exit.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Forked, ForkOptions, Program } from '../mode.ts'
import { openRun } from '../open-run.ts'
import { formatRaises } from './resume.ts'
import { checkTrust } from './trust.ts'

/** Creates a new run that continues from an event of this one. The old run stays unchanged. */
export async function forkRun(
  program: Program,
  stored: StoredRun,
  options: ForkOptions & { readonly trust: boolean },
): Promise<Pick<Forked, 'run' | 'at'> & { readonly notices: readonly string[] }> {
  const open = await openRun(program, stored)
  await checkTrust(program.machine, open, options.trust)
  return open.use(async (mode, parent) => {
    if (!mode.fork) throw new PawlError(2, `${stored.entry.name} is a ${mode.name}: runs of this mode cannot be forked`)
    const { run, at, raised, from } = await mode.fork(parent, program.machine, options)
    return { run, at, notices: formatRaises(mode.show, from, raised) }
  })
}
