import * as fs from 'node:fs'
import { join } from 'node:path'

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = fs.constants

/** Handed in where a test lets a disk fill up. */
export type Write = typeof fs.writeSync

/** A line and how it is known again. */
export type SapText = { readonly uuid: string; readonly text: string }

/** Other tools log here as well, so the folder is as open as the workspace; the file itself is this person's alone. */
export function makeFolder(folder: string): void {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false })
  if (found && !found.isDirectory()) throw new Error(`${folder} is not a folder`)
  if (found || !made(folder)) return
  // Nothing that anybody should commit.
  fs.writeFileSync(join(folder, '.gitignore'), '*\n', { flag: 'wx' })
}

/** A workspace that is gone stays gone; of two who make the folder, one has made it. */
function made(folder: string): boolean {
  try {
    fs.mkdirSync(folder, { mode: 0o755 })
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/** A repository may have put anything in its place: no link is followed, no pipe waited for, no other file added to. */
export function openOwnFile(path: string): number {
  const fd = fs.openSync(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  const found = fs.fstatSync(fd)
  if (found.isFile() && found.nlink <= 1) return fd
  fs.closeSync(fd)
  throw new Error(`${path} is not a plain file of its own`)
}

/** For reading, with the same caution. */
export function openPlainFile(path: string): number {
  const fd = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  if (fs.fstatSync(fd).isFile()) return fd
  fs.closeSync(fd)
  throw new Error(`${path} is not a plain file`)
}

/** Undefined where there is nothing there. */
export function inodeAt(path: string): number | undefined {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.ino
}

/** The day that a file is of: that of its first line, or of its last change where that line tells nothing. */
export function readDay(fd: number): string | undefined {
  const { size, mtime } = fs.fstatSync(fd)
  if (size === 0) return undefined
  const start = Buffer.alloc(4096)
  const [line] = start.toString('utf8', 0, fs.readSync(fd, start, 0, start.length, 0)).split('\n')
  return /^\{"timestamp":"(\d{4}-\d\d-\d\d)T/.exec(line!)?.[1] ?? mtime.toISOString().slice(0, 10)
}

/** One write, so that lines of others stand before or behind. A line that somebody left torn is closed first. */
export function writeLines(write: Write, fd: number, batch: readonly SapText[]): void {
  const lines = batch.map(({ text }) => `${text}\n`).join('')
  writeAll(write, fd, Buffer.from(endsTorn(fd) ? `\n${lines}` : lines))
}

/** All bytes or an error: a full disk may take a part of a write without complaint. */
export function writeAll(write: Write, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = write(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk took no more bytes')
    done += written
  }
}

function endsTorn(fd: number): boolean {
  const { size } = fs.fstatSync(fd)
  const last = Buffer.alloc(1)
  return size > 0 && fs.readSync(fd, last, 0, 1, size - 1) === 1 && last[0] !== 10
}

export function unlessMissing<T>(action: () => T): T | undefined {
  try {
    return action()
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code
