import { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { hasEnded, type ReadRun, readRun } from '../../../run/read-run.ts'
import { formatCount } from '../../../show/format.ts'
import { iterationsBegun } from '../core/session.ts'
import { moveAside, readStateFile, stateFilePath } from '../state/state-file.ts'

/** An unfinished run of this name, or the newest one if it is unreadable. */
export type Earlier =
  | { readonly found: 'nothing' }
  | { readonly found: 'unfinished'; readonly run: StoredRun; readonly read: ReadRun }
  | { readonly found: 'unreadable'; readonly id: string; readonly why: string }

/** Looks at all runs of the name: after the clock was set back, the unfinished one need not be the newest. */
export async function findEarlier({ store, environment }: Machine, name: string): Promise<Earlier> {
  const named = (await store.list({ workspace: environment.cwd })).filter((listed) => listed.name === name)
  let found: Earlier = { found: 'nothing' }
  for (const [index, listed] of named.entries()) {
    if (hasEnded(listed)) continue
    try {
      const run = await store.open(listed.address)
      const read = run && (await readRun(run))
      if (run && read && !read.state.ended && read.state.seq > 0) return { found: 'unfinished', run, read }
    } catch (error) {
      if (index === 0) found = { found: 'unreadable', id: listed.id, why: (error as Error).message }
    }
  }
  return found
}

/** Describes an unfinished run. It is never ignored, because its work may be half done. */
export function describeUnfinished(
  { environment: { program } }: Machine,
  name: string,
  { standing, state }: ReadRun,
): PawlError {
  const what = `${name} is unfinished (${standing} after ${formatCount(iterationsBegun(state), 'iteration')})`
  return new PawlError(10, what, `${program} resume ${name}, or ${program} run ${name} --fresh`, 'unfinished')
}

/**
 * Handles a state file that belongs to no run. Seed 002 warns and starts fresh if it is unreadable, and refuses if its status
 * is `running`. Returns a warning for the user.
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
  if (file === 'unreadable') return `WARNING: state file is unreadable, starting fresh. The old file is now ${aside()}`
  if (file.status === 'running' && !fresh) {
    throw new PawlError(
      10,
      `WARNING: according to ${path}, ${name} is running, but there is no such run here: possible concurrent execution`,
      `If it is not running: ${program} run ${name} --fresh`,
    )
  }
  if (fresh) return undefined
  return `WARNING: the state file (${file.status}) belongs to no run here; starting fresh. The old file is now ${aside()}`
}
