import { join } from 'node:path'
import { PawlError } from '../../../contract/exit.ts'
import type { RunEntry } from '../../../ports/run-store.ts'
import { type Disk, readPlain, syncParents, writeAtomic } from './disk.ts'

export const requestName = 'request.json'
const maxBytes = 1 << 20

/** An index file: `dir` is the entry's address, `request` its trusted hash. */
type Stored = Omit<RunEntry, 'address' | 'trusted'> & { readonly dir: string; readonly request?: string | undefined }

/**
 * Writes one file per run, so that concurrent starts never conflict. Synced, because it holds the user's trust. Losing it
 * loses only that and the listing in other folders.
 */
export function registerEntry(disk: Disk, index: string, entry: RunEntry): void {
  const { id, mode, name, workspace, created, address, trusted } = entry
  const stored: Stored = { id, mode, dir: address, name, workspace, created, request: trusted }
  const [path, text] = [entryPath(index, id), `${JSON.stringify(stored)}\n`]
  try {
    disk.mkdirSync(index, { recursive: true, mode: 0o700 })
    writeAtomic(disk, path, text, { synced: true })
    syncParents(disk, index)
  } catch {
    writeUnsynced(disk, path, text)
  }
}

/** The next best thing if syncing fails. Errors are ignored: the run's own folder has the same data. */
function writeUnsynced(disk: Disk, path: string, text: string): void {
  try {
    writeAtomic(disk, path, text)
  } catch {}
}

export const forgetEntry = (disk: Disk, index: string, id: string): void =>
  disk.rmSync(entryPath(index, id), { force: true })

const entryPath = (index: string, id: string): string => join(index, `${id}.json`)

/** Returns all runs that this user has started or trusted. */
export const readIndex = (disk: Disk, index: string): RunEntry[] =>
  listNames(disk, index).flatMap((name) => readIndexed(disk, join(index, name)) ?? [])

export const findIndexed = (disk: Disk, index: string, id: string): RunEntry | undefined =>
  isId(id) ? readIndexed(disk, entryPath(index, id)) : undefined

function readIndexed(disk: Disk, path: string): RunEntry | undefined {
  try {
    const { dir, request, ...rest } = JSON.parse(readPlain(disk, path, maxBytes)) as Stored
    const known = request === undefined || typeof request === 'string'
    if (!known || typeof dir !== 'string') return undefined
    // Entries of earlier versions have no mode.
    return checkEntry({ ...rest, mode: rest.mode ?? readFolder(disk, dir)?.mode, address: dir, trusted: request })
  } catch {
    return undefined
  }
}

/** Reads an entry from the run's folder. It is never trusted. Undefined if the folder is not a valid run. */
export function readFolder(disk: Disk, dir: string): RunEntry | undefined {
  try {
    const request = JSON.parse(readPlain(disk, join(dir, requestName), maxBytes)) as Stored & { run_id: string }
    const { run_id: id, mode, name, workspace, created } = request
    return checkEntry({ id, mode, name, workspace, created, address: dir, trusted: undefined })
  } catch {
    return undefined
  }
}

export const isRun = (disk: Disk, dir: string): boolean => disk.existsSync(join(dir, requestName))

export function listNames(disk: Disk, folder: string): string[] {
  try {
    return disk.readdirSync(folder).map(String)
  } catch {
    return []
  }
}

/** Like listNames, but throws if the user has no access: other people's runs are not the same as none. */
export function listFolder(disk: Disk, folder: string): string[] {
  try {
    return disk.readdirSync(folder).map(String)
  } catch (error) {
    if (error instanceof PawlError) throw error
    return []
  }
}

/**
 * Ids and names become paths, so only the format that this program creates is accepted. Checked by hand, because loading
 * a schema would take longer than a list of runs.
 */
function checkEntry({ id, mode, name, workspace, created, address, trusted }: RunEntry): RunEntry | undefined {
  const isShaped = isId(id) && isName(name) && isMode(mode) && isMoment(created) && typeof workspace === 'string'
  return isShaped ? { id, mode, name, workspace, created, address, trusted } : undefined
}

const hasShape =
  (shape: RegExp) =>
  (value: unknown): boolean =>
    typeof value === 'string' && shape.test(value)

const isIdLike = hasShape(/^(?=.{1,100}$)[A-Za-z0-9][A-Za-z0-9_-]*(?:\.[A-Za-z0-9_-]+)*$/)
export const isId = (id: string): boolean => isIdLike(id) && !id.endsWith('.lock')
export const isName = hasShape(/^[a-z0-9][a-z0-9-]{0,63}$/)
const isMode = hasShape(/^[a-z][a-z0-9-]{0,63}$/)
const isMoment = hasShape(/^\d{4}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d(\.\d{1,9})?Z$/)
