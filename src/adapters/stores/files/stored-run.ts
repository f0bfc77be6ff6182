import { basename, join } from 'node:path'
import type { Ref } from '../../../contract/values.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import type { Content, HeldRun, HoldOptions, RunEntry, StoredRun } from '../../../ports/run-store.ts'
import { type FileArtifacts, openArtifacts } from './artifacts.ts'
import { type Disk, openPlain, readAt } from './disk.ts'
import { listNames } from './entries.ts'
import { checkFiles, describePlace, followJournal, highestEpoch, newMemory, readJournal } from './events.ts'
import { openInbox } from './inbox.ts'
import { openFileJournal } from './journal.ts'
import { acquireLease, livingOwner } from './lease.ts'
import { lastSeq } from './listing.ts'
import { addRequest, readRequests } from './requests.ts'
import { readSlot, writeSlot } from './slots.ts'

/** File that exists while the journal is intact. Removed if events are lost: a full disk still allows deleting. */
export const wholeMark = 'whole'

/** Opens a run without reading anything. */
export function openStoredRun(disk: Disk, entry: RunEntry): StoredRun {
  const dir = entry.address
  const artifacts = openArtifacts(dir, disk)
  const journal = { disk, dir, memory: newMemory() }
  return {
    entry,
    content: { ...toContent(artifacts), flush: () => orNotSaved(dir, artifacts.flush) },
    requests: () => readRequests(disk, dir),
    amend: async (text) => artifacts.adopt(addRequest(disk, dir, text)),
    owner: async () => livingOwner(dir, disk),
    read: async (options = {}) => readJournal(journal, options),
    follow: (seq, signal) => followJournal(journal, seq, signal),
    place: async (seq) => describePlace(disk, dir, seq),
    post: async (note) => openInbox(dir, disk).post(note),
    outputs: async () => listOutputs(disk, dir),
    output: async (name, from) => readOutput(disk, dir, name, from),
    kept: async (slot) => readSlot(disk, dir, slot),
    keep: async (slot, value) => writeSlot(disk, dir, slot, value),
    isWhole: async () => disk.existsSync(join(dir, wholeMark)) && readSeq(disk, dir, 'result') <= lastSeq(disk, dir),
    attach: (name, path) => orNotSaved(name, () => disk.renameSync(path, join(dir, basename(name)))),
    where: (log) => join(dir, outputFolder, log),
    size: async () => readSize(disk, dir),
    check: async () => checkFiles(disk, dir, artifacts.has),
    hold: async (options) => holdRun(disk, entry, artifacts, options),
  }
}

export const toContent = ({ put, get, has }: FileArtifacts): Content => ({ put, get, has: async (ref) => has(ref) })

function holdRun(
  disk: Disk,
  { id, address: dir }: RunEntry,
  artifacts: FileArtifacts,
  { takeOver = false, onRepair }: HoldOptions,
): HeldRun {
  const lease = acquireLease(dir, { disk, force: takeOver, after: () => highestEpoch(disk, dir) })
  try {
    const inbox = openInbox(dir, disk)
    const { flush: flushContent, recover: recoverContent } = artifacts
    // A card is written after the last of its events was synced; a result also if syncing failed.
    const provenSeq = (): number => readSeq(disk, dir, 'card')
    const journal = openFileJournal({ dir, run: id, lease, disk, flushContent, recoverContent, provenSeq, onRepair })
    return {
      epoch: lease.epoch,
      journal,
      inbox,
      content: toContent(artifacts),
      folder: dir,
      file: async (ref) => contentFile(dir, artifacts, ref),
      adopt: artifacts.adopt,
      markBroken: () => removeQuietly(disk, join(dir, wholeMark)),
      release: async () => {
        quietly(journal.close)
        quietly(lease.release)
      },
    }
  } catch (error) {
    quietly(lease.release)
    throw error
  }
}

function contentFile(dir: string, artifacts: FileArtifacts, ref: Ref): string {
  if (!artifacts.has(ref)) throw new Error(`${ref.path} is missing or does not match its hash in the journal`)
  return join(dir, ref.path)
}

/** Returns the last event that a result or a card covers. One after the end of the journal shows lost events. */
function readSeq(disk: Disk, dir: string, slot: 'result' | 'card'): number {
  const seq = (readSlot(disk, dir, slot) as { readonly seq?: unknown } | null | undefined)?.seq
  return typeof seq === 'number' ? seq : 0
}

export function readSize(disk: Disk, path: string): number {
  const found = disk.lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.size
  return disk.readdirSync(path).reduce((sum, name) => sum + readSize(disk, join(path, String(name))), 0)
}

const removeQuietly = (disk: Disk, path: string): void => quietly(() => disk.rmSync(path, { force: true }))

function quietly(action: () => void): void {
  try {
    action()
  } catch {
    // The next owner finds this one dead.
  }
}

async function orNotSaved<T>(what: string, action: () => T | Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    throw new NotSavedError(`cannot save ${what}: ${(error as Error).message}`, { cause: error })
  }
}

const outputFolder = 'attempts'
const maxBytes = 1 << 20
const isLog = (name: string): boolean => /^[^/\\]+\.log$/.test(name)

/** Returns the logs of agents and checks, most recently written last. Skips symlinks and folders. */
function listOutputs(disk: Disk, dir: string): string[] {
  const folder = join(dir, outputFolder)
  return listNames(disk, folder)
    .filter(isLog)
    .map((name) => ({ name, stat: disk.lstatSync(join(folder, name)) }))
    .filter(({ stat }) => stat.isFile())
    .sort((a, b) => a.stat.mtimeMs - b.stat.mtimeMs || (a.name < b.name ? -1 : 1))
    .map(({ name }) => name)
}

function readOutput(
  disk: Disk,
  dir: string,
  name: string,
  from: number,
): { readonly bytes: Uint8Array; readonly from: number } | undefined {
  const fd = isLog(name) ? openLog(disk, join(dir, outputFolder, name)) : undefined
  if (fd === undefined) return undefined
  try {
    const { size } = disk.fstatSync(fd)
    const start = from < 0 ? Math.max(0, size + from) : Math.min(from, size)
    return { bytes: readAt(disk, fd, start, Math.min(size - start, maxBytes)), from: start }
  } finally {
    disk.closeSync(fd)
  }
}

function openLog(disk: Disk, path: string): number | undefined {
  try {
    return openPlain(disk, path)
  } catch {
    return undefined
  }
}
