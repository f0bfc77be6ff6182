import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { Note } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import { fromLine } from '../../../contract/line.ts'
import type { Inbox, PostNote } from '../../../ports/inbox.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { createAtomic, type Disk, hasCode, readPlain, realDisk, syncFolder, writeAll } from './disk.ts'
import { journalName, parseLine, readLines } from './lines.ts'
import { openIfThere } from './listing.ts'

const pollMs = 1000

export type FileInbox = Inbox & {
  readonly post: PostNote
  /** Stores a note of another run under its original number. */
  restore(note: Note): void
}

/** Opens the notes of one run: numbered files that appear atomically. Any process that may write the folder may post. */
export function openInbox(dir: string, disk: Disk = realDisk): FileInbox {
  const folder = join(dir, 'inbox')
  makeInbox()

  return {
    async take(after) {
      try {
        return numbers()
          .filter((id) => id > after)
          .flatMap((id) => readNote(id))
      } catch (error) {
        throw new NotSavedError(`cannot read ${folder}: ${(error as Error).message}`, { cause: error })
      }
    },
    onRing(ring) {
      // Watching is fast but does not work on every file system, so poll as well.
      const watcher = watchQuietly(folder, ring)
      const timer = setInterval(ring, pollMs)
      timer.unref()
      return () => {
        watcher?.close()
        clearInterval(timer)
      }
    },
    async post(note) {
      const valid = Note.parse({ ...note, id: 1 })
      try {
        return postNote(valid)
      } catch (error) {
        if (error instanceof PawlError) throw error
        throw new NotSavedError(`cannot write ${folder}: ${(error as Error).message}`, { cause: error })
      }
    },
    restore: (note) => createAtomic(disk, notePath(note.id), JSON.stringify(note)),
  }

  /** Not recursive: the folder of a removed run must not be created again. */
  function makeInbox(): void {
    try {
      disk.mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }

  /** Numbers the note above the files and above all recorded notes, because files may be lost and their numbers are used. */
  function postNote(note: Note): Note {
    const part = join(folder, `.${randomUUID()}`)
    for (let id = Math.max(numbers().at(-1) ?? 0, lastRecordedId(disk, dir)) + 1; ; id++) {
      const numbered = { ...note, id }
      const fd = disk.openSync(part, 'w', 0o600)
      try {
        writeAll(disk, fd, Buffer.from(JSON.stringify(numbered)))
        disk.fdatasyncSync(fd)
      } finally {
        disk.closeSync(fd)
      }
      try {
        disk.linkSync(part, notePath(id))
        syncFolder(disk, folder)
        return numbered
      } catch (error) {
        if (!hasCode(error, 'EEXIST')) throw error
      } finally {
        disk.unlinkSync(part)
      }
    }
  }

  function numbers(): number[] {
    return disk
      .readdirSync(folder)
      .flatMap((name) => /^([1-9]\d{0,8})\.json$/.exec(String(name))?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
  }

  /** Skips anything that is not a small regular file with a valid note: it was not posted by this program. */
  function readNote(id: number): Note[] {
    try {
      const note = Note.parse(JSON.parse(readPlain(disk, notePath(id), 64 * 1024)))
      return note.id === id ? [note] : []
    } catch (error) {
      if (hasCode(error, 'EIO') || hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')) throw error
      return []
    }
  }

  function notePath(id: number): string {
    return join(folder, `${id}.json`)
  }
}

function lastRecordedId(disk: Disk, dir: string): number {
  let last = 0
  for (const { id } of recordedNotes(disk, dir)) last = Math.max(last, id)
  return last
}

/** Returns the notes in the journal. Parses only their lines, because a journal may be long. */
function* recordedNotes(disk: Disk, dir: string): Generator<Note> {
  const fd = openIfThere(disk, join(dir, journalName))
  if (fd === undefined) return
  try {
    for (const { text } of readLines(disk, fd, 0)) {
      const line = text.includes('"human"') ? parseLine(text, 0) : ''
      if (typeof line === 'string' || line.phase !== 'human') continue
      const event = fromLine(line)
      if (event?.type === 'note-received') yield event.note
    }
  } finally {
    disk.closeSync(fd)
  }
}

/** Returns all notes that were posted to a run: those in the journal, and those that it has not recorded yet. */
export async function listNotes(disk: Disk, dir: string): Promise<readonly Note[]> {
  const recorded = [...recordedNotes(disk, dir)]
  return [...recorded, ...(await openInbox(dir, disk).take(recorded.at(-1)?.id ?? 0))]
}

function watchQuietly(folder: string, ring: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, ring)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
