import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import type { Keys } from '../../ports/keys.ts'

/** Every file call that is made for a key. Injected, so that tests can fail each of them. */
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
  /** Whether a key may be made where there is none: not for a run whose content is sealed already. */
  readonly make: boolean
  readonly disk?: KeyDisk
}

type Person = { readonly env: Readonly<Record<string, string | undefined>>; readonly stateFolder: string }

/** All keys of this installation come from one: that of `PAWL_KEY`, or else that of a file of this person. */
export function openKeys({ env, stateFolder }: Person, options: KeyOptions): Keys {
  const path = keyFile(stateFolder)
  const given = env.PAWL_KEY
  const secret = given === undefined ? fileKey(path, options) : givenKey(given)
  const restore = `Set PAWL_KEY to the key of then, or restore ${path}`
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

function givenKey(text: string): Uint8Array {
  const secret = decode(text)
  if (secret) return secret
  throw new PawlError(30, 'PAWL_KEY is no key', 'It takes 32 bytes as base64 or hex, such as: openssl rand -base64 32')
}

function decode(text: string): Uint8Array | undefined {
  const word = text.trim()
  if (/^[0-9a-f]{64}$/i.test(word)) return Buffer.from(word, 'hex')
  return /^[\w+/-]{43}=?$/.test(word) ? Buffer.from(word, 'base64') : undefined
}

function fileKey(path: string, { make, disk = fs }: KeyOptions): Uint8Array {
  const found = readKey(disk, path)
  if (found) return found
  if (!make) throw new PawlError(30, `${path} is gone, and with it the key to this run`, 'Restore it, or set PAWL_KEY.')
  try {
    makeKey(disk, path)
  } catch (error) {
    throw new PawlError(20, `cannot make ${path}: ${(error as Error).message}`, 'Make room or access, or set PAWL_KEY.')
  }
  return readKey(disk, path)!
}

/** Undefined where there is none. What others could have read or put there is no key. */
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
      throw new PawlError(30, `${path} belongs to another user`, 'Remove it if you do not know it, or set PAWL_KEY.')
    }
    if (process.getuid && mode & 0o077) {
      throw new PawlError(30, `others can read ${path}`, `If nobody did: chmod 600 ${path}`)
    }
    const secret = size < 200 ? decode(disk.readFileSync(fd, 'utf8')) : undefined
    if (secret) return secret
    throw new PawlError(30, `${path} holds no key`, 'Restore it from a copy. If nothing was sealed with it: remove it.')
  } finally {
    disk.closeSync(fd)
  }
}

/** Whole before it has its name, and the name is given once: of two who make it at a time, one finds the other's. */
function makeKey(disk: KeyDisk, path: string): void {
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
  // What is sealed with it must not outlive it.
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
    // A name that nobody reads.
  }
}

/** No link is followed, no pipe waited for. */
function openPlain(disk: KeyDisk, path: string): number {
  const fd = disk.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
  if (disk.fstatSync(fd).isFile()) return fd
  disk.closeSync(fd)
  throw new Error(`${path} is not a plain file`)
}

/** All bytes or an error: a full disk may take a part of a write without complaint. */
function writeAll(disk: KeyDisk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.writeSync(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk took no more bytes')
    done += written
  }
}

/** Makes the names in a folder survive power loss. */
function syncFolder(disk: KeyDisk, path: string): void {
  const fd = disk.openSync(path, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code
