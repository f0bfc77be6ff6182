import * as fs from 'node:fs'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Files } from '../../../ports/files.ts'

/** All file system calls of this store. Injected, so that tests can make each of them fail. */
export type Disk = Pick<
  typeof fs,
  | 'closeSync'
  | 'existsSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'linkSync'
  | 'lstatSync'
  | 'mkdirSync'
  | 'mkdtempSync'
  | 'openSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'readSync'
  | 'renameSync'
  | 'rmSync'
  | 'statSync'
  | 'unlinkSync'
  | 'writeSync'
> & {
  /** Runs in a thread pool: several at once take hardly longer than one. */
  fdatasync(fd: number): Promise<void>
  fsync(fd: number): Promise<void>
}

export const realDisk: Disk = { ...fs, fdatasync: promisify(fs.fdatasync), fsync: promisify(fs.fsync) }

/** Writes all bytes or throws: a full disk may accept part of a write without an error. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.writeSync(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk accepted no more bytes')
    done += written
  }
}

type Writing = { readonly synced?: boolean }

/**
 * Writes a file, private to the user, that is complete or absent at `path`. With `synced` this also holds after power
 * loss, once the folder is synced.
 */
export function writeAtomic(disk: Disk, path: string, content: string | Uint8Array, options: Writing = {}): void {
  disk.renameSync(writePart(disk, path, content, options), path)
}

/** Like writeAtomic, but throws EEXIST if the file exists and leaves that file alone. */
export function createAtomic(disk: Disk, path: string, content: string | Uint8Array, options: Writing = {}): void {
  const part = writePart(disk, path, content, options)
  try {
    disk.linkSync(part, path)
  } finally {
    unlinkQuietly(disk, part)
  }
}

function writePart(disk: Disk, path: string, content: string | Uint8Array, { synced = false }: Writing): string {
  const part = `${path}.${process.pid}.part`
  const fd = disk.openSync(part, 'w', 0o600)
  try {
    writeAll(disk, fd, typeof content === 'string' ? Buffer.from(content) : content)
    if (synced) disk.fdatasyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
  return part
}

/** Ignores errors: used for temporary names that are never read. */
export function unlinkQuietly(disk: Disk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch {}
}

/** Opens a regular file. Agents may write nearby, so it does not follow a symlink or wait for a named pipe. */
export function openPlain(disk: Disk, path: string): number {
  const fd = disk.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
  if (disk.fstatSync(fd).isFile()) return fd
  disk.closeSync(fd)
  throw new Error(`${path} is not a regular file`)
}

export function readPlain(disk: Disk, path: string, maxBytes: number): string {
  const fd = openPlain(disk, path)
  try {
    if (disk.fstatSync(fd).size > maxBytes) throw new Error(`${path} has more than ${maxBytes} bytes`)
    return disk.readFileSync(fd, 'utf8')
  } finally {
    disk.closeSync(fd)
  }
}

/** Reads up to `length` bytes from a position. */
export function readAt(disk: Disk, fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, length === 0 ? 0 : disk.readSync(fd, bytes, 0, length, position))
}

/** Syncs a folder, so that new names in it survive power loss. */
export function syncFolder(disk: Disk, path: string): void {
  const fd = disk.openSync(path, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

/**
 * Syncs a folder of the user's state and the folders above it. Anything may have created those a moment ago, for example
 * `~/.local/state`. Throws only if the folder itself cannot be synced.
 */
export function syncParents(disk: Disk, folder: string): void {
  syncFolder(disk, folder)
  try {
    for (let path = dirname(folder), level = 0; level < 4; path = dirname(path), level++) syncFolder(disk, path)
  } catch {
    // Not readable by this user, so not created by this user either.
  }
}

/** Creates a folder and its missing parents, private to the user, so that all of them survive power loss. */
export function makeFolders(disk: Disk, path: string): void {
  const first = disk.mkdirSync(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = path; made !== dirname(first); made = dirname(made)) syncFolder(disk, dirname(made))
}

/** Keeps runs and state out of git commits. */
export function ignoreInGit(disk: Disk, folder: string): void {
  const path = join(folder, '.gitignore')
  if (!disk.existsSync(path)) writeAtomic(disk, path, '*\n')
}

export const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code

/** Reads and writes small files of this machine. */
export const fileTools: Files = {
  read: (path, maxBytes) => readPlain(realDisk, path, maxBytes),
  write: (path, text, options) => writeAtomic(realDisk, path, text, options),
  makeFolder: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  remove: (path) => rmSync(path, { force: true }),
  rename: (from, to) => renameSync(from, to),
}
