import { basename, dirname, join, resolve, sep } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PawlError } from '../../../contract/exit.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { RunOwnedError } from '../../../ports/lease.ts'
import type { Lock, LockKey } from '../../../ports/locks.ts'
import type { RunEntry, RunStore, StoredRun } from '../../../ports/run-store.ts'
import { explainDenials } from './access.ts'
import { type Disk, ignoreInGit, realDisk } from './disk.ts'
import {
  findIndexed,
  forgetEntry,
  isId,
  isName,
  isRun,
  listFolder,
  readFolder,
  readIndex,
  registerEntry,
} from './entries.ts'
import { acquireLease, refuseIfOwned } from './lease.ts'
import { journalName } from './lines.ts'
import { listRun } from './listing.ts'

export type FilesStoreOptions = {
  readonly workspace: string
  /** Name of the program's folder in a workspace: `.pawl`. */
  readonly folder: string
  /** This user's own folder, which no repository can write. */
  readonly stateFolder: string
  readonly disk?: Disk
}

/**
 * Stores runs as folders in their workspace. An index outside of all workspaces lists this user's runs. The code that
 * reads and writes journals is loaded when a run is opened, because a list needs none of it.
 */
export function openFilesStore({ workspace, folder, stateFolder, ...options }: FilesStoreOptions): RunStore {
  const disk = explainDenials(options.disk ?? realDisk)
  const index = join(stateFolder, 'runs')
  const runsFolder = (workspace: string): string => join(workspace, folder, 'runs')

  return {
    name: 'files',
    async create(run) {
      const { createRun } = await import('./create.ts')
      return openEntry(await createRun({ disk, index, runsOf: runsFolder }, run))
    },
    async open(address) {
      const entry = address.includes(sep) ? entryAt(resolve(workspace, address)) : findEntry(address)
      return entry && openEntry(entry)
    },
    async list({ workspace: only, limit }) {
      return listEntries(only ?? workspace)
        .filter((entry) => only === undefined || entry.workspace === only)
        .slice(0, limit)
        .map((entry) => listRun(disk, entry))
    },
    watch: async (signal) => watchRuns(disk, () => listEntries(workspace), signal),
    trust: async (entry, sha256) => registerEntry(disk, index, { ...entry, trusted: sha256 }),
    async remove({ id, address }) {
      const { readSize } = await import('./stored-run.ts')
      if (disk.existsSync(address)) refuseIfOwned(address, disk)
      const bytes = readSize(disk, address)
      disk.rmSync(address, { recursive: true, force: true })
      forgetEntry(disk, index, id)
      return bytes
    },
    acquire: async (key, { force = false } = {}) => acquireLock(disk, folder, key, force),
  }

  async function openEntry(entry: RunEntry): Promise<StoredRun> {
    const { openStoredRun } = await import('./stored-run.ts')
    return openStoredRun(disk, entry)
  }

  /** Returns all runs of this user, and everyone's runs in this workspace, newest first. */
  function listEntries(workspace: string): RunEntry[] {
    const here = listFolder(disk, runsFolder(workspace)).flatMap(
      (id) => readHere(join(runsFolder(workspace), id)) ?? [],
    )
    // The index may name folders that are gone: a run that was moved here counts where it is.
    const indexed = readIndex(disk, index).filter(({ address }) => isRun(disk, address))
    const all = new Map([...here, ...indexed].map((entry) => [entry.id, entry]))
    return [...all.values()].sort((a, b) =>
      a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? 1 : -1,
    )
  }

  /** A run in a workspace's own folder belongs to that workspace, even if both were moved together. */
  function readHere(dir: string): RunEntry | undefined {
    const entry = readFolder(disk, dir)
    const workspace = dirname(dirname(dirname(dir)))
    return entry && dir === join(runsFolder(workspace), entry.id) ? { ...entry, workspace } : entry
  }

  /** Searches the index first: a repository could contain a run with the id of another one. */
  function findEntry(id: string): RunEntry | undefined {
    if (!isId(id)) return undefined
    const indexed = findIndexed(disk, index, id)
    if (indexed && isRun(disk, indexed.address)) return indexed
    const here = readHere(join(runsFolder(workspace), id))
    return here?.id === id ? here : undefined
  }

  /** Prefers the index entry: it records trust, and identifies a run whose request cannot be read. */
  function entryAt(dir: string): RunEntry | undefined {
    if (!isRun(disk, dir)) return undefined
    const found = readHere(dir)
    const ids = found ? [basename(dir), found.id] : [basename(dir)]
    return ids.map((id) => findIndexed(disk, index, id)).find((entry) => entry?.address === dir) ?? found
  }
}

const pollMs = 500

/**
 * Yields the ids of runs that have changed since the last poll. The first poll happens immediately. Polling works on every file system, and for runs in other folders.
 */
function watchRuns(disk: Disk, entries: () => readonly RunEntry[], signal: AbortSignal): AsyncIterable<string> {
  let previous = readFingerprints()
  return yieldChanges()

  async function* yieldChanges(): AsyncGenerator<string> {
    while (!signal.aborted) {
      const now = readFingerprints()
      const changed = [...now.keys(), ...previous.keys()].filter((id) => now.get(id) !== previous.get(id))
      previous = now
      for (const id of new Set(changed)) yield id
      await delay(pollMs, undefined, { signal }).catch(() => {})
    }
  }

  function readFingerprints(): Map<string, string> {
    return new Map(entries().map(({ id, address, trusted }) => [id, `${trusted} ${fingerprintFolder(disk, address)}`]))
  }
}

/** The folder changes with its owner and slots, the journal with each event, the inbox with each note. */
function fingerprintFolder(disk: Disk, dir: string): string {
  return [dir, join(dir, journalName), join(dir, 'inbox')]
    .map((path) => {
      const { mtimeMs = 0, size = 0 } = disk.lstatSync(path, { throwIfNoEntry: false }) ?? {}
      return `${mtimeMs}:${size}`
    })
    .join(' ')
}

/** A lock is a lease on a folder that is not a run. `folder` is the program's folder in a workspace. */
function acquireLock(disk: Disk, folder: string, key: LockKey, force: boolean): Lock {
  return key.of === 'name' ? lockName(disk, folder, key, force) : lockFolder(disk, key, force)
}

/** Allows one run of a name at a time in a workspace, wherever its folder is. */
function lockName(
  disk: Disk,
  folder: string,
  { workspace, name }: Extract<LockKey, { of: 'name' }>,
  force: boolean,
): Lock {
  const dir = join(workspace, folder, 'state', `${name}.lock`)
  try {
    if (!isName(name)) throw new NotSavedError(`invalid run name: ${name}`)
    if (!disk.existsSync(workspace)) throw new Error(`${workspace} does not exist`)
    disk.mkdirSync(dir, { recursive: true, mode: 0o700 })
    ignoreInGit(disk, dirname(dir))
    return toLock(acquireLease(dir, { disk, force }))
  } catch (error) {
    if (error instanceof RunOwnedError || error instanceof PawlError) throw error
    throw new PawlError(20, `cannot create ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

function lockFolder(disk: Disk, { path, by }: Extract<LockKey, { of: 'folder' }>, force: boolean): Lock {
  try {
    disk.mkdirSync(path, { recursive: true, mode: 0o700 })
    return toLock(acquireLease(path, { disk, force, by }))
  } catch (error) {
    if (error instanceof RunOwnedError || error instanceof NotSavedError || error instanceof PawlError) throw error
    throw new NotSavedError((error as Error).message, { cause: error })
  }
}

const toLock = (lease: { release(): void }): Lock => ({
  release: async () => {
    try {
      lease.release()
    } catch {
      // The next process to acquire the lock finds its owner dead.
    }
  },
})
