import * as fs from 'node:fs'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Files } from '../../../ports/files.ts'

/** Every file call that a run's folder makes. Injected, so that tests can fail each of them. */
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
  /** In other threads: several at a time take hardly longer than one. */
  fdatasync(fd: number): Promise<void>
  fsync(fd: number): Promise<void>
}

export const realDisk: Disk = { ...fs, fdatasync: promisify(fs.fdatasync), fsync: promisify(fs.fsync) }

/** All bytes or an error: a full disk may take a part of a write without complaint. */
export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.writeSync(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk took no more bytes')
    done += written
  }
}

type Writing = { readonly synced?: boolean }

/** Whole or absent under `path`, private to the user. With `synced` also after power loss, once its folder is. */
export function writeWhole(disk: Disk, path: string, content: string | Uint8Array, options: Writing = {}): void {
  disk.renameSync(writePart(disk, path, content, options), path)
}

/** The same for a file that must not be there yet: throws EEXIST, and leaves the other one as it is. */
export function createWhole(disk: Disk, path: string, content: string | Uint8Array, options: Writing = {}): void {
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

/** A name that nobody reads; what went wrong, if anything, is told already. */
export function unlinkQuietly(disk: Disk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch {}
}

/** Agents can write the run's folder: no link is followed, no pipe waited for, nothing huge swallowed. */
export function openPlain(disk: Disk, path: string): number {
  const fd = disk.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
  if (disk.fstatSync(fd).isFile()) return fd
  disk.closeSync(fd)
  throw new Error(`${path} is not a plain file`)
}

export function readPlain(disk: Disk, path: string, most: number): string {
  const fd = openPlain(disk, path)
  try {
    if (disk.fstatSync(fd).size > most) throw new Error(`${path} has more than ${most} bytes`)
    return disk.readFileSync(fd, 'utf8')
  } finally {
    disk.closeSync(fd)
  }
}

/** Up to `length` bytes from a position on. */
export function readAt(disk: Disk, fd: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, length === 0 ? 0 : disk.readSync(fd, bytes, 0, length, position))
}

/** Makes the names in a folder survive power loss. */
export function syncFolder(disk: Disk, path: string): void {
  const fd = disk.openSync(path, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

/** Agents should not commit runs and state. */
export function ignoreInGit(disk: Disk, folder: string): void {
  const path = join(folder, '.gitignore')
  if (!disk.existsSync(path)) writeWhole(disk, path, '*\n')
}

export const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code

/** Small files of this machine. */
export const fileTools: Files = {
  read: (path, most) => readPlain(realDisk, path, most),
  write: (path, text, options) => writeWhole(realDisk, path, text, options),
  makeFolder: (path) => mkdirSync(path, { recursive: true, mode: 0o700 }),
  remove: (path) => rmSync(path, { force: true }),
  rename: (from, to) => renameSync(from, to),
}
