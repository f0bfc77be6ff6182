import { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { type ReadRun, readRun } from '../../../run/read-run.ts'
import { formatCount } from '../../../show/format.ts'
import { iterationsBegun } from '../core/session.ts'
import { moveAside, readStateFile, stateFilePath } from '../state/state-file.ts'

/** What lies in the way of a new run of this name: an unfinished one, or one that cannot be read. */
export type Earlier =
  | { readonly found: 'nothing' }
  | { readonly found: 'unfinished'; readonly run: StoredRun; readonly read: ReadRun }
  | { readonly found: 'unreadable'; readonly id: string; readonly why: string }

export async function findEarlier({ store, environment }: Machine, name: string): Promise<Earlier> {
  const newest = (await store.list({ workspace: environment.cwd })).find((listed) => listed.name === name)
  if (!newest) return { found: 'nothing' }
  try {
    const run = await store.open(newest.address)
    if (!run) return { found: 'nothing' }
    const read = await readRun(run)
    return read.state.ended || read.state.seq === 0 ? { found: 'nothing' } : { found: 'unfinished', run, read }
  } catch (error) {
    return { found: 'unreadable', id: newest.id, why: (error as Error).message }
  }
}

/** An unfinished run is never passed over in silence: its work may be half done. */
export function describeUnfinished(
  { environment: { program } }: Machine,
  name: string,
  { standing, state }: ReadRun,
): PawlError {
  const what = `${name} is unfinished (${standing} after ${formatCount(iterationsBegun(state), 'iteration')})`
  return new PawlError(10, what, `${program} resume ${name}, or ${program} run ${name} --fresh`, 'unfinished')
}

/**
 * A state file that no run accounts for: seed 002 warns and starts fresh over an unreadable one, and refuses where it
 * says that something runs. Returns what a person should know.
 */
export async function clearStateFile(
  { environment, files, store }: Machine,
  name: string,
  fresh: boolean,
): Promise<string | undefined> {
  const { program, cwd, folder } = environment
  const path = stateFilePath(cwd, folder, name)
  const file = readStateFile(files, path)
  if (file === undefined) return undefined
  const isKnown = (await store.list({ workspace: cwd })).some((listed) => listed.name === name)
  if (isKnown && file !== 'unreadable') return undefined
  const aside = (): string => moveAside(files, path, new Date())
  if (file === 'unreadable') return `WARNING: state file is unreadable, starting fresh. It is kept as ${aside()}`
  if (file.status === 'running' && !fresh) {
    throw new PawlError(
      10,
      `WARNING: ${path} says that ${name} is running, but no run here accounts for it: possible concurrent execution`,
      `If nothing runs: ${program} run ${name} --fresh`,
    )
  }
  if (fresh) return undefined
  return `WARNING: no run here accounts for the state file (${file.status}); starting fresh. It is kept as ${aside()}`
}
