import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import type { Keys } from '../../ports/keys.ts'

/** All file system calls made for a key. Injected, so that tests can make each of them fail. */
export type KeyDisk = Pick<
  typeof fs,
  | 'closeSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'mkdirSync'
  | 'openSync'
  | 'readFileSync'
  | 'unlinkSync'
  | 'writeSync'
>

export type KeyOptions = {
  /** Whether to create a missing key. Must be false for a run whose content is already sealed. */
  readonly make: boolean
  readonly disk?: KeyDisk
}

type Person = { readonly env: Readonly<Record<string, string | undefined>>; readonly stateFolder: string }

/** Derives all keys from one secret: `PAWL_KEY`, or by default the key file of this user. */
export function openKeys({ env, stateFolder }: Person, options: KeyOptions): Keys {
  const path = keyFile(stateFolder)
  const given = env.PAWL_KEY
  const secret = given === undefined ? loadFileKey(path, options) : parseGivenKey(given)
  const restore = `Set PAWL_KEY to the original key, or restore ${path}`
  return {
    content: { secret, restore },
    markOf: createHasher(secret, 'marks', 16),
    pseudonymOf: createHasher(secret, 'people', 64),
  }
}

export const keyFile = (stateFolder: string): string => join(stateFolder, 'keys', 'content.key')

function createHasher(secret: Uint8Array, label: string, digits: number): (text: string) => string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', `pawl ${label}`, 32))
  return (text) => createHmac('sha256', key).update(text).digest('hex').slice(0, digits)
}

function parseGivenKey(text: string): Uint8Array {
  const secret = decode(text)
  if (secret) return secret
  throw new PawlError(30, 'PAWL_KEY is not a valid key', 'Use 32 bytes as base64 or hex: openssl rand -base64 32')
}

function decode(text: string): Uint8Array | undefined {
  const word = text.trim()
  if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, 'hex')
  return /^[\w+/-]{43}=?$/.test(word) ? Buffer.from(word, 'base64') : undefined
}

function loadFileKey(path: string, { make, disk = fs }: KeyOptions): Uint8Array {
  const found = readKey(disk, path)
  if (found) return found
  if (!make) throw new PawlError(30, `the key to this run is missing: ${path}`, 'Restore it, or set PAWL_KEY.')
  try {
    createKey(disk, path)
  } catch (error) {
    const hint = 'Free disk space or fix the permissions, or set PAWL_KEY.'
    throw new PawlError(20, `cannot create ${path}: ${(error as Error).message}`, hint)
  }
  return readKey(disk, path)!
}

/** Undefined if the file is missing. Throws if other users could have read or written it. */
function readKey(disk: KeyDisk, path: string): Uint8Array | undefined {
  let fd: number
  try {
    fd = openPlain(disk, path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    const why = hasCode(error, 'ELOOP') ? 'it is a symbolic link' : (error as Error).message
    throw new PawlError(30, `cannot use ${path}: ${why}`, 'Put the key itself there, or set PAWL_KEY.')
  }
  try {
    const { mode, uid, size } = disk.fstatSync(fd)
    if (uid !== (process.getuid?.() ?? uid)) {
      throw new PawlError(30, `${path} belongs to another user`, 'Remove it if it is not yours, or set PAWL_KEY.')
    }
    if (process.getuid && mode & 0o077) {
      throw new PawlError(30, `other users can read ${path}`, `If none has read it: chmod 600 ${path}`)
    }
    const secret = size < 200 ? decode(disk.readFileSync(fd, 'utf8')) : undefined
    if (secret) return secret
    throw new PawlError(30, `${path} contains no key`, 'Restore it from a copy, or remove it if it was never used.')
  } finally {
    disk.closeSync(fd)
  }
}

/** Creates the key atomically. If two processes do so at once, both use the first one. */
function createKey(disk: KeyDisk, path: string): void {
  const folder = dirname(path)
  disk.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const part = join(folder, `.${randomUUID()}`)
  try {
    const fd = disk.openSync(part, 'wx', 0o600)
    try {
      writeAll(disk, fd, Buffer.from(`${randomBytes(32).toString('base64')}\n`))
      disk.fsyncSync(fd)
    } finally {
      disk.closeSync(fd)
    }
    linkOnce(disk, part, path)
  } finally {
    unlinkQuietly(disk, part)
  }
  // Sealed content must not survive a power loss that the key does not.
  syncFolder(disk, folder)
  syncFolder(disk, dirname(folder))
}

function linkOnce(disk: KeyDisk, part: string, path: string): void {
  try {
    disk.linkSync(part, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function unlinkQuietly(disk: KeyDisk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch {
    // A temporary name that is never read.
  }
}

/** Opens a regular file without following a symlink or waiting for a named pipe. */
function openPlain(disk: KeyDisk, path: string): number {
  const fd = disk.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
  if (disk.fstatSync(fd).isFile()) return fd
  disk.closeSync(fd)
  throw new Error(`${path} is not a regular file`)
}

/** Writes all bytes or throws: a full disk may accept part of a write without an error. */
function writeAll(disk: KeyDisk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.writeSync(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk accepted no more bytes')
    done += written
  }
}

/** Syncs a folder, so that new names in it survive power loss. */
function syncFolder(disk: KeyDisk, path: string): void {
  const fd = disk.openSync(path, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code
