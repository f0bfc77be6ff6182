import { existsSync, lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { hasCode, realDisk, syncFolder, writeWhole } from '../adapters/stores/files/disk.ts'
import { acquireLease } from '../adapters/stores/files/lease.ts'
import { PawlError } from '../contract/exit.ts'
import type { RunRequest } from '../contract/request.ts'
import { NotSavedError } from '../ports/journal.ts'
import { type Lease, RunOwnedError } from '../ports/lease.ts'
import { wholeMark } from './continue-run.ts'
import { requestHash, requestText } from './frozen-request.ts'
import { forgetRun, registerRun } from './index-of-runs.ts'
import { type Place, runsDir, workspaceFolder } from './paths.ts'

/** Makes the folder of a new run, safe from power loss, and puts it into this person's index. */
function createRun(place: Place, request: RunRequest, runs = runsDir(place)): string {
  const dir = join(runs, request.run_id)
  try {
    makeRunFolder(runs, dir)
    settle(place, runs, dir, request)
    return dir
  } catch (error) {
    removeQuietly(place, dir)
    throw new PawlError(20, `cannot make ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** The same for a run whose request names content: that lies there first. */
export async function createRunWith(
  place: Place,
  id: string,
  freeze: (dir: string) => Promise<RunRequest>,
): Promise<string> {
  const runs = runsDir(place)
  const dir = join(runs, id)
  try {
    makeRunFolder(runs, dir)
    const request = await freeze(dir)
    settle(place, runs, dir, request)
    return dir
  } catch (error) {
    removeQuietly(place, dir)
    if (error instanceof PawlError) throw error
    throw new PawlError(20, `cannot make ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** Before it is a run: one that is killed in between is this person's own nevertheless. */
function register(place: Place, dir: string, request: RunRequest): void {
  const { run_id: id, name, workspace, created } = request
  registerRun(place, { id, dir, name, workspace, created, request: requestHash(requestText(request)) })
}

function makeRunFolder(runs: string, dir: string): void {
  mkdirSync(runs, { recursive: true, mode: 0o700 })
  mkdirSync(dir, { mode: 0o700 })
  ignoreInGit(runs)
}

function settle(place: Place, runs: string, dir: string, request: RunRequest): void {
  register(place, dir, request)
  layOut(dir, request)
  syncFolder(realDisk, runs)
}

/** Makes a run out of a folder. It is one as soon as the request lies there, which therefore comes last. */
export function layOut(dir: string, request: RunRequest): void {
  // One by one: a recursive mkdir reports a read-only disk as a missing folder.
  for (const part of ['attempts', 'artifacts', 'inbox', 'hand-over']) makeFolder(join(dir, part))
  writeWhole(realDisk, join(dir, wholeMark), '')
  writeWhole(realDisk, join(dir, 'request.json'), requestText(request), { synced: true })
  syncFolder(realDisk, dir)
}

/** An out-dir may hold it already, from a start that was cut short. */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !lstatSync(path).isDirectory()) throw error
  }
}

/** Seed 002 wants the loop to go on where its state cannot be kept: then it is kept among temporary files, and said. */
export function createRunAnywhere(place: Place, request: RunRequest, onLost: (text: string) => void): string {
  try {
    return createRun(place, request)
  } catch (error) {
    if (request.durability === 'strict') throw error
    const dir = createRun(place, request, mkdtempSync(join(tmpdir(), 'pawl-')))
    onLost(`${(error as Error).message}. The loop goes on; its state lies in ${dir}`)
    return dir
  }
}

/** Half a folder would look like a run that somebody should go on with. */
function removeQuietly(place: Place, dir: string): void {
  try {
    forgetRun(place, basename(dir))
    rmSync(dir, { recursive: true, force: true })
  } catch {
    // What went wrong is told already.
  }
}

/** Without a place to hold it there is nothing to hold; a run that may go on without its state goes on without this too. */
export function ownNameIfPossible(
  place: Place,
  name: string,
  durability: RunRequest['durability'],
  onLost: (text: string) => void,
): Pick<Lease, 'release'> {
  try {
    return ownName(place, name)
  } catch (error) {
    if (durability === 'strict' || !(error instanceof PawlError) || error.exit !== 20) throw error
    onLost(`${error.message}. Nothing keeps a second ${name} from starting.`)
    return { release: () => {} }
  }
}

/** One run of a name at a time in a workspace. Held until the run leaves, whichever folder it has. */
export function ownName(place: Place, name: string, force = false): Lease {
  const state = join(place.cwd, workspaceFolder(place), 'state')
  const dir = join(state, `${name}.lock`)
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    ignoreInGit(state)
    return acquireLease(dir, { force })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const unwritable = code !== undefined || error instanceof NotSavedError
    if (unwritable) throw new PawlError(20, `cannot make ${dir}: ${message}`, 'Nothing was started.')
    throw asOwned(error, name)
  }
}

export function asOwned(error: unknown, name: string): unknown {
  if (!(error instanceof RunOwnedError)) return error
  const hint = `To watch: pawl logs -f ${name}. To end it: pawl stop ${name}`
  return new PawlError(10, `${name} is ${error.message}`, hint)
}

/** What Pawl keeps beside the work is nothing that an agent should commit. */
export function ignoreInGit(folder: string): void {
  const path = join(folder, '.gitignore')
  if (!existsSync(path)) writeWhole(realDisk, path, '*\n')
}
