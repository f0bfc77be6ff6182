import { createHmac, hkdfSync, randomBytes, randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { type Disk, hasCode, openPlain, realDisk, syncFolder, writeAll } from '../adapters/stores/files/disk.ts'
import type { SealingKey } from '../adapters/stores/files/sealed-artifacts.ts'
import { PawlError } from '../contract/exit.ts'
import { type Place, stateDir } from '../run/paths.ts'

export type Keys = {
  readonly content: SealingKey
  /** Tells a text that was there before, without telling the text. */
  readonly markOf: (text: string) => string
  /** Stands for a person where others may read. */
  readonly pseudonymOf: (text: string) => string
}

export type KeyOptions = {
  /** Whether a key may be made where there is none: not for a run whose content is sealed already. */
  readonly make: boolean
  readonly disk?: Disk
}

/** All keys of this installation come from one: that of `PAWL_KEY`, or else that of a file of this person. */
export function openKeys(place: Place, options: KeyOptions): Keys {
  const path = keyFile(place)
  const given = place.env.PAWL_KEY
  const secret = given === undefined ? fileKey(path, options) : givenKey(given)
  const restore = `Set PAWL_KEY to the key of then, or restore ${path}`
  return {
    content: { secret, restore },
    markOf: hmacOf(secret, 'marks', 16),
    pseudonymOf: hmacOf(secret, 'people', 64),
  }
}

export const keyFile = (place: Place): string => join(stateDir(place), 'keys', 'content.key')

function hmacOf(secret: Uint8Array, label: string, digits: number): (text: string) => string {
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

function fileKey(path: string, { make, disk = realDisk }: KeyOptions): Uint8Array {
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
function readKey(disk: Disk, path: string): Uint8Array | undefined {
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
function makeKey(disk: Disk, path: string): void {
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

function linkOnce(disk: Disk, part: string, path: string): void {
  try {
    disk.linkSync(part, path)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

function unlinkQuietly(disk: Disk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch {
    // A name that nobody reads.
  }
}
