import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { realDisk, writeWhole } from '../adapters/files/disk.ts'
import { acquireLease } from '../adapters/files/lease.ts'
import { PawlError } from '../contract/exit.ts'
import type { RunRequest } from '../contract/request.ts'
import { type Lease, RunOwnedError } from '../ports/lease.ts'
import { listRuns, registerRun } from './index-of-runs.ts'
import { type Place, runsDir, workspaceFolder } from './paths.ts'
import { readRun } from './read-run.ts'

/** Makes the folder of a new run and puts it into this person's index. */
export function createRun(place: Place, request: RunRequest): string {
  const runs = runsDir(place)
  const dir = join(runs, request.run_id)
  try {
    mkdirSync(runs, { recursive: true, mode: 0o700 })
    // One by one: a recursive mkdir reports a read-only disk as a missing folder.
    for (const part of ['', 'attempts', 'artifacts', 'inbox']) mkdirSync(join(dir, part), { mode: 0o700 })
    writeWhole(realDisk, join(runs, '.gitignore'), '*\n')
    writeWhole(realDisk, join(dir, 'request.json'), `${JSON.stringify(request, null, 2)}\n`)
  } catch (error) {
    throw new PawlError(20, `cannot make ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
  const { run_id: id, name, workspace, created } = request
  registerRun(place, { id, dir, name, workspace, created })
  return dir
}

/** One run of a name at a time in a workspace. Held until the run leaves, whichever folder it has. */
export function ownName(place: Place, name: string, force = false): Lease {
  const dir = join(place.cwd, workspaceFolder(place), 'state', `${name}.lock`)
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  try {
    return acquireLease(dir, { force })
  } catch (error) {
    throw asOwned(error, name)
  }
}

export function asOwned(error: unknown, name: string): unknown {
  if (!(error instanceof RunOwnedError)) return error
  return new PawlError(
    10,
    `${name} is ${error.message}`,
    `To watch: pawl logs -f ${name}. To end it: pawl stop ${name}`,
  )
}

/** An unfinished run is never passed over in silence: its work may be half done. */
export function refuseOverUnfinished(place: Place, name: string): void {
  const newest = listRuns(place).find((run) => run.name === name && run.workspace === place.cwd)
  if (!newest) return
  const { standing, state } = readRun(newest.dir)
  if (state.ended) return
  const at = `${standing} after ${state.tasks} iterations`
  throw new PawlError(
    10,
    `${name} is unfinished (${at})`,
    `${place.name} resume ${name}, or ${place.name} run ${name} --fresh`,
  )
}
