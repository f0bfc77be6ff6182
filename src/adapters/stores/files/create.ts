import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Draft } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { NewRun, RunEntry } from '../../../ports/run-store.ts'
import { type FileArtifacts, openArtifacts } from './artifacts.ts'
import { createWhole, type Disk, hasCode, ignoreInGit, syncFolder, writeWhole } from './disk.ts'
import { hashText } from './documents.ts'
import { forgetEntry, isId, isName, isRun, registerEntry, requestName } from './entries.ts'
import { openInbox } from './inbox.ts'
import { openFileJournal } from './journal.ts'
import { acquireLease } from './lease.ts'
import { toContent, wholeMark } from './stored-run.ts'

export type Places = {
  readonly disk: Disk
  /** This person's index: one file for each run. */
  readonly index: string
  /** The folder of the runs of a workspace. */
  runsOf(workspace: string): string
}

/** Makes the folder of a new run, safe from power loss, and puts it into this person's index. */
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
    if (history.length > 0) await keepHistory(disk, dir, entry.id, history, artifacts)
    for (const note of notes) await openInbox(dir, disk).post(note)
    const made = { ...entry, address: dir, trusted: listed ? hashText(request) : undefined }
    // Before it is a run: one that is killed in between is this person's own nevertheless.
    if (listed) {
      undo.push(() => forgetEntry(disk, index, entry.id))
      registerEntry(disk, index, made)
    }
    layOut(disk, dir, request)
    if (at === undefined) syncFolder(disk, dirname(dir))
    return made
  } catch (error) {
    for (const step of undo.reverse()) quietly(step)
    if (error instanceof PawlError) throw error
    const what = at === undefined ? 'cannot make' : 'cannot write to'
    throw new PawlError(20, `${what} ${dir}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** A list would not show a run with another id or name. */
function checkNames({ id, name }: NewRun['entry']): void {
  if (!isId(id)) throw new Error(`${id} cannot be the id of a run`)
  if (!isName(name)) throw new Error(`${name} cannot be the name of a run`)
}

function temporaryFolder(disk: Disk): string {
  const start = join(tmpdir(), 'pawl-')
  try {
    return disk.mkdtempSync(start)
  } catch (error) {
    throw new PawlError(20, `cannot make ${start}: ${(error as Error).message}`, 'Nothing was started.')
  }
}

/** Returns how to undo it: half a folder would look like a run that somebody should go on with. */
function makeRunFolder(disk: Disk, dir: string): () => void {
  const runs = dirname(dir)
  disk.mkdirSync(runs, { recursive: true, mode: 0o700 })
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

/** An out-dir may be there already, and hold what others put there; but not another run. */
function takeFolder(disk: Disk, dir: string): void {
  if (isRun(disk, dir)) throw new Error('a run lies there already')
  disk.mkdirSync(dir, { recursive: true, mode: 0o700 })
}

/** Stores the events that a fork begins with. They are numbered anew, since events that its parent could not read leave gaps. */
async function keepHistory(
  disk: Disk,
  dir: string,
  run: string,
  history: readonly Draft[],
  { flush, has }: FileArtifacts,
): Promise<void> {
  const lease = acquireLease(dir, { disk })
  const journal = openFileJournal({ dir, run, lease, disk, flushContent: flush, hasContent: has })
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

/** Makes a run out of a folder. It is one as soon as the request lies there, which therefore comes last. */
function layOut(disk: Disk, dir: string, request: string): void {
  // One by one: a recursive mkdir reports a read-only disk as a missing folder.
  for (const part of ['attempts', 'artifacts', 'inbox', 'hand-over']) makeFolder(disk, join(dir, part))
  writeWhole(disk, join(dir, wholeMark), '')
  createWhole(disk, join(dir, requestName), request, { synced: true })
  syncFolder(disk, dir)
}

/** An out-dir may hold it already, from a start that was cut short. */
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
    // The error that led here is reported already.
  }
}
