import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Draft } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { NewRun, RunEntry } from '../../../ports/run-store.ts'
import { hash } from '../shared/values.ts'
import { type FileArtifacts, openArtifacts } from './artifacts.ts'
import { createAtomic, type Disk, hasCode, ignoreInGit, makeFolders, syncFolder, writeAtomic } from './disk.ts'
import { forgetEntry, isId, isName, isRun, registerEntry, requestName } from './entries.ts'
import { openInbox } from './inbox.ts'
import { openFileJournal } from './journal.ts'
import { acquireLease } from './lease.ts'
import { toContent, wholeMark } from './stored-run.ts'

export type Places = {
  readonly disk: Disk
  /** Folder of this user's index: one file per run. */
  readonly index: string
  /** Returns the folder with the runs of a workspace. */
  runsOf(workspace: string): string
}

/** Creates a new run, synced to disk, and adds it to this user's index. On failure, removes all but a given out-dir. */
export async function createRun(places: Places, run: NewRun): Promise<RunEntry> {
  const { disk, index } = places
  const { entry, at, listed } = run
  const dir = at ?? join(run.temporary ? temporaryFolder(disk) : places.runsOf(entry.workspace), entry.id)
  const undo: (() => void)[] = []
  try {
    checkNames(entry)
    if (at === undefined) undo.push(makeRunFolder(disk, dir))
    else takeFolder(disk, dir)
    const artifacts = openArtifacts(dir, disk)
    const { request, history = [], notes = [] } = await run.freeze(toContent(artifacts))
    await artifacts.flush()
    if (history.length > 0) await storeHistory(disk, dir, entry.id, history, artifacts)
    for (const note of notes) await openInbox(dir, disk).post(note)
    const made = { ...entry, address: dir, trusted: listed ? hash(request) : undefined }
    // Indexed before the folder counts as a run: if killed in between, the run still belongs to this user.
    if (listed) {
      undo.push(() => forgetEntry(disk, index, entry.id))
      registerEntry(disk, index, made)
    }
    finishFolder(disk, dir, request)
    if (at === undefined) syncFolder(disk, dirname(dir))
    return made
  } catch (error) {
    for (const step of undo.reverse()) quietly(step)
    if (error instanceof PawlError) throw error
    const what = at === undefined ? 'cannot create' : 'cannot write to'
    throw new PawlError(20, `${what} ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** Rejects ids and names that a list would not show. */
function checkNames({ id, name }: NewRun['entry']): void {
  if (!isId(id)) throw new Error(`invalid run id: ${id}`)
  if (!isName(name)) throw new Error(`invalid run name: ${name}`)
}

function temporaryFolder(disk: Disk): string {
  const start = join(tmpdir(), 'pawl-')
  try {
    return disk.mkdtempSync(start)
  } catch (error) {
    throw new PawlError(20, `cannot create ${start}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** Returns a function that removes the folder again: a partial one would look like a run to resume. */
function makeRunFolder(disk: Disk, dir: string): () => void {
  const runs = dirname(dir)
  makeFolders(disk, runs)
  disk.mkdirSync(dir, { mode: 0o700 })
  const remove = (): void => disk.rmSync(dir, { recursive: true, force: true })
  try {
    ignoreInGit(disk, runs)
    return remove
  } catch (error) {
    quietly(remove)
    throw error
  }
}

/** An out-dir may exist and contain other files, but not another run. */
function takeFolder(disk: Disk, dir: string): void {
  if (isRun(disk, dir)) throw new Error('it already contains a run')
  makeFolders(disk, dir)
}

/** Stores the events that a fork begins with. Renumbers them, because events that the parent could not read leave gaps. */
async function storeHistory(
  disk: Disk,
  dir: string,
  run: string,
  history: readonly Draft[],
  { flush }: FileArtifacts,
): Promise<void> {
  const lease = acquireLease(dir, { disk })
  const journal = openFileJournal({ dir, run, lease, disk, flushContent: flush })
  const inbox = openInbox(dir, disk)
  try {
    for await (const _ of (await journal.load('')).events);
    for (const [index, draft] of history.entries()) {
      if (draft.type === 'note-received') inbox.restore(draft.note)
      await journal.append({ ...draft, seq: index + 1 })
    }
    await journal.sync()
  } finally {
    journal.close()
    lease.release()
  }
}

/** Turns a folder into a run. The request is written last, because a folder with a request is a run. */
function finishFolder(disk: Disk, dir: string, request: string): void {
  // Not with a recursive mkdir, which reports a read-only disk as a missing folder.
  for (const part of ['attempts', 'artifacts', 'inbox', 'hand-over']) makeFolder(disk, join(dir, part))
  writeAtomic(disk, join(dir, wholeMark), '')
  createAtomic(disk, join(dir, requestName), request, { synced: true })
  syncFolder(disk, dir)
}

/** In an out-dir the folder may exist already, from a start that was killed. */
function makeFolder(disk: Disk, path: string): void {
  try {
    disk.mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (!hasCode(error, 'EEXIST') || !disk.lstatSync(path).isDirectory()) throw error
  }
}

function quietly(action: () => void): void {
  try {
    action()
  } catch {
    // The original error is reported instead.
  }
}
