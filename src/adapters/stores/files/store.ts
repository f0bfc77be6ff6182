import { basename, join, resolve, sep } from 'node:path'
import type { RunEntry, RunStore, StoredRun } from '../../../ports/run-store.ts'
import { type Disk, realDisk } from './disk.ts'
import { findIndexed, forgetEntry, isId, isRun, namesIn, readFolder, readIndex, registerEntry } from './entries.ts'
import { refuseIfOwned } from './lease.ts'
import { listRun } from './listing.ts'
import { acquireLock } from './locks.ts'
import { watchRuns } from './watch.ts'

export type FilesStoreOptions = {
  readonly workspace: string
  /** The program's folder in a workspace: `.pawl`. */
  readonly folder: string
  /** This person's own folder, which no repository can write. */
  readonly stateFolder: string
  readonly disk?: Disk
}

/**
 * Runs as folders: those of a workspace lie in it, and this person's index tells where all of theirs are. The code that reads and
 * writes journals is loaded when a run is opened, since a list needs none of it.
 */
export function openFilesStore({ workspace, folder, stateFolder, disk = realDisk }: FilesStoreOptions): RunStore {
  const index = join(stateFolder, 'runs')
  const runsOf = (workspace: string): string => join(workspace, folder, 'runs')

  return {
    name: 'files',
    async create(run) {
      const { createRun } = await import('./create.ts')
      return openEntry(await createRun({ disk, index, runsOf }, run))
    },
    async open(address) {
      const entry = address.includes(sep) ? entryAt(resolve(workspace, address)) : entryOf(address)
      return entry && openEntry(entry)
    },
    async list({ workspace: only, limit }) {
      return entriesIn(only ?? workspace)
        .filter((entry) => only === undefined || entry.workspace === only)
        .slice(0, limit)
        .map((entry) => listRun(disk, entry))
    },
    watch: (signal) => watchRuns(disk, () => entriesIn(workspace), signal),
    trust: async (entry, sha256) => registerEntry(disk, index, { ...entry, trusted: sha256 }),
    async remove({ id, address }) {
      const { sizeOf } = await import('./stored-run.ts')
      if (disk.existsSync(address)) refuseIfOwned(address, disk)
      const bytes = sizeOf(disk, address)
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

  /** Runs of this person anywhere, and those that lie in this workspace whoever started them; newest first. */
  function entriesIn(workspace: string): RunEntry[] {
    const here = namesIn(disk, runsOf(workspace)).flatMap((id) => readFolder(disk, join(runsOf(workspace), id)) ?? [])
    const all = new Map([...here, ...readIndex(disk, index)].map((entry) => [entry.id, entry]))
    return [...all.values()]
      .filter(({ address }) => isRun(disk, address))
      .sort((a, b) => (a.created < b.created ? 1 : a.created > b.created ? -1 : a.id < b.id ? 1 : -1))
  }

  /** The index goes first: a repository could bring a run with the id of another one. */
  function entryOf(id: string): RunEntry | undefined {
    if (!isId(id)) return undefined
    const indexed = findIndexed(disk, index, id)
    if (indexed && isRun(disk, indexed.address)) return indexed
    const here = readFolder(disk, join(runsOf(workspace), id))
    return here?.id === id ? here : undefined
  }

  /** The index knows what is trusted, and which run lies in a folder whose request cannot be read. */
  function entryAt(dir: string): RunEntry | undefined {
    if (!isRun(disk, dir)) return undefined
    const found = readFolder(disk, dir)
    const ids = found ? [basename(dir), found.id] : [basename(dir)]
    return ids.map((id) => findIndexed(disk, index, id)).find((entry) => entry?.address === dir) ?? found
  }
}
