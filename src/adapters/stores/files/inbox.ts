import { randomUUID } from 'node:crypto'
import { watch } from 'node:fs'
import { join } from 'node:path'
import { type NewNote, Note } from '../../../contract/event.ts'
import type { Inbox, PostNote } from '../../../ports/inbox.ts'
import { NotSavedError } from '../../../ports/journal.ts'
import { createAtomic, type Disk, hasCode, readPlain, realDisk, writeAll } from './disk.ts'

const pollMs = 1000

export type FileInbox = Inbox & {
  readonly post: PostNote
  /** Stores a note of another run under its original number. */
  restore(note: Note): void
}

/** Opens the notes of one run: numbered files that appear atomically. Any process that may write the folder may post. */
export function openInbox(dir: string, disk: Disk = realDisk): FileInbox {
  const folder = join(dir, 'inbox')
  disk.mkdirSync(folder, { recursive: true, mode: 0o700 })

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
    post: async (note) => postNote(note),
    restore: (note) => createAtomic(disk, notePath(note.id), JSON.stringify(note)),
  }

  function postNote(note: NewNote): Note {
    const part = join(folder, `.${randomUUID()}`)
    for (let id = (numbers().at(-1) ?? 0) + 1; ; id++) {
      const numbered = Note.parse({ ...note, id })
      const fd = disk.openSync(part, 'w', 0o600)
      try {
        writeAll(disk, fd, Buffer.from(JSON.stringify(numbered)))
      } finally {
        disk.closeSync(fd)
      }
      try {
        disk.linkSync(part, notePath(id))
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

function watchQuietly(folder: string, ring: () => void): { close(): void } | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, ring)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
