import { PawlError } from '../../../contract/exit.ts'
import { listRuns, type RunEntry } from '../../../run/index-of-runs.ts'
import type { Place } from '../../../run/paths.ts'
import { type ReadRun, readRun } from '../../../run/read-run.ts'
import { iterationsBegun, moveAside, readStateFile, stateFilePath } from './state-file.ts'

/** What lies in the way of a new run of this name: an unfinished one, or one that cannot be read. */
export type Earlier =
  | { readonly found: 'nothing' }
  | { readonly found: 'unfinished'; readonly run: RunEntry; readonly read: ReadRun }
  | { readonly found: 'unreadable'; readonly run: RunEntry; readonly why: string }

export function earlierRun(place: Place, name: string): Earlier {
  const run = listRuns(place).find((entry) => entry.name === name && entry.workspace === place.cwd)
  if (!run) return { found: 'nothing' }
  try {
    const read = readRun(run.dir)
    return read.state.ended || read.state.seq === 0 ? { found: 'nothing' } : { found: 'unfinished', run, read }
  } catch (error) {
    return { found: 'unreadable', run, why: (error as Error).message }
  }
}

/** An unfinished run is never passed over in silence: its work may be half done. */
export function unfinished({ name: program }: Place, name: string, { standing, state }: ReadRun): PawlError {
  const what = `${name} is unfinished (${standing} after ${plural(iterationsBegun(state))})`
  return new PawlError(10, what, `${program} resume ${name}, or ${program} run ${name} --fresh`)
}

/**
 * A state file that no run accounts for: seed 002 warns and starts fresh over an unreadable one, and refuses where it
 * says that something runs. Returns what a person should know.
 */
export function clearStateFile(place: Place, name: string, fresh: boolean): string | undefined {
  const path = stateFilePath(place, name)
  const file = readStateFile(path)
  if (file === undefined) return undefined
  const known = listRuns(place).some((entry) => entry.name === name && entry.workspace === place.cwd)
  if (known && file !== 'unreadable') return undefined
  if (file === 'unreadable') return `WARNING: state file is unreadable, starting fresh. It is kept as ${aside(path)}`
  if (file.status === 'running' && !fresh) {
    throw new PawlError(
      10,
      `WARNING: ${path} says that ${name} is running, but no run here accounts for it: possible concurrent execution`,
      `If nothing runs: ${place.name} run ${name} --fresh`,
    )
  }
  if (fresh) return undefined
  return `WARNING: no run here accounts for the state file (${file.status}); starting fresh. It is kept as ${aside(path)}`
}

const plural = (count: number): string => `${count} ${count === 1 ? 'iteration' : 'iterations'}`
const aside = (path: string): string => moveAside(path, new Date())
