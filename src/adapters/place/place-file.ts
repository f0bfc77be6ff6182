import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { matchStyle } from '../../contract/human-text.ts'

/** All file system calls made here. Injected, so that tests can make each of them fail. */
export type PlaceDisk = Pick<
  typeof fs,
  | 'closeSync'
  | 'fchmodSync'
  | 'fchownSync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'linkSync'
  | 'openSync'
  | 'readdirSync'
  | 'readFileSync'
  | 'renameSync'
  | 'unlinkSync'
  | 'writeSync'
>

export type PlaceTools = {
  readonly isAlive: (pid: number) => boolean
  readonly disk?: PlaceDisk
}

/** Writes texts to files atomically. Never overwrites a file that has changed in the meantime. */
export function createPlaceText({ isAlive, disk = fs }: PlaceTools) {
  return {
    create: (path: string, text: string, run: string): 'written' | 'there already' =>
      placeNewFile({ disk, isAlive }, path, { text, run }),
    replace: (path: string, sha256: string, text: string, run: string): Replaced =>
      replaceFile({ disk, isAlive }, path, sha256, { text, run }),
    put: (path: string, sha256: string | null, bytes: Uint8Array, run: string): Put =>
      putBytes({ disk, isAlive }, path, sha256, { bytes, run }),
  }
}

type Tools = Required<PlaceTools>

/** A text and the run that writes it. A killed run writes it again. */
type Piece = { readonly text: string; readonly run: string }

/** Creates a new file atomically. Contract: throws if a different file exists, even one that has just appeared. */
function placeNewFile(tools: Tools, path: string, { text, run }: Piece): 'written' | 'there already' {
  const { disk } = tools
  try {
    withPart(tools, path, { run, mode: 0o666 }, (part, fd) => {
      writeAll(disk, fd, Buffer.from(text))
      disk.fdatasyncSync(fd)
      linkOrWrite(disk, part, path, text)
    })
  } catch (error) {
    if (hasCode(error, 'EEXIST') && readPlainly(disk, path)?.content === text) return 'there already'
    throw error
  }
  syncFolder(disk, dirname(path))
  return 'written'
}

function linkOrWrite(disk: PlaceDisk, part: string, path: string, text: string): void {
  try {
    disk.linkSync(part, path)
  } catch (error) {
    if (!noLinks.some((code) => hasCode(error, code))) throw error
    placeWithoutLinks(disk, path, text)
  }
}

/** For file systems without hard links: creates the file first and removes it again if writing fails. */
function placeWithoutLinks(disk: PlaceDisk, path: string, text: string): void {
  const fd = disk.openSync(path, 'wx', 0o666)
  try {
    writeAll(disk, fd, Buffer.from(text))
    disk.fdatasyncSync(fd)
  } catch (error) {
    disk.unlinkSync(path)
    throw error
  } finally {
    disk.closeSync(fd)
  }
}

type Put = 'written' | 'there already' | 'changed since'

/** Writes exactly these bytes: over a file with this hash, or as a new file if the hash is null. */
function putBytes(
  tools: Tools,
  path: string,
  sha256: string | null,
  { bytes, run }: { readonly bytes: Uint8Array; readonly run: string },
): Put {
  const { disk } = tools
  const before = readPlainly(disk, path)
  if (before?.sha256 === hash(bytes)) {
    // A process that was killed right after it placed the file has left its temporary one.
    removeStale(tools, dirname(path), partPrefix(path, run))
    return 'there already'
  }
  if ((before?.sha256 ?? null) !== sha256) return 'changed since'
  const stat = before?.stat
  const isPlaced = withPart(tools, path, { run, mode: stat ? 0o600 : 0o666 }, (part, fd) => {
    writeAll(disk, fd, bytes)
    if (stat) {
      keepOwner(disk, fd, stat)
      disk.fchmodSync(fd, stat.mode & 0o7777)
    }
    disk.fdatasyncSync(fd)
    return stat ? renameIfSame(disk, part, path, sha256!) : linkIfFree(disk, part, path)
  })
  if (isPlaced) syncFolder(disk, dirname(path))
  return isPlaced ? 'written' : 'changed since'
}

/** The user may have saved the file in the meantime. */
function renameIfSame(disk: PlaceDisk, part: string, path: string, sha256: string): boolean {
  if (readPlainly(disk, path)?.sha256 !== sha256) return false
  disk.renameSync(part, path)
  return true
}

function linkIfFree(disk: PlaceDisk, part: string, path: string): boolean {
  try {
    disk.linkSync(part, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    if (!noLinks.some((code) => hasCode(error, code))) throw error
    // A file system without hard links: the name was free a moment ago.
    disk.renameSync(part, path)
    return true
  }
}

const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']
const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

type Replaced = 'written' | 'unchanged' | 'there already' | 'changed since'

/**
 * Replaces a file's text if the file is unchanged. Keeps its mode, owner, line endings and final newline. A symlink at
 * `path` counts as a change.
 */
function replaceFile(tools: Tools, path: string, sha256: string, { text, run }: Piece): Replaced {
  const { disk } = tools
  const before = readPlainly(disk, path)
  const isKnown = before?.sha256 === sha256
  const next = before && matchStyle(text, before.content)
  if (before && next === before.content) return isKnown ? 'unchanged' : 'there already'
  if (!before || !isKnown) return 'changed since'
  const { stat } = before
  // Private at first: the new text must never be readable by users who could not read the old one.
  const replaced = withPart(tools, path, { run, mode: 0o600 }, (part, fd) => {
    writeAll(disk, fd, Buffer.from(next!))
    keepOwner(disk, fd, stat)
    disk.fchmodSync(fd, stat.mode & 0o7777)
    disk.fdatasyncSync(fd)
    return renameIfSame(disk, part, path, sha256)
  })
  if (replaced) syncFolder(disk, dirname(path))
  return replaced ? 'written' : 'changed since'
}

function readPlainly(disk: PlaceDisk, path: string) {
  let fd: number
  try {
    fd = openPlain(disk, path)
  } catch (error) {
    if (hasCode(error, 'EACCES')) throw error
    return undefined
  }
  try {
    const bytes = disk.readFileSync(fd)
    return {
      sha256: hash(bytes),
      content: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes),
      stat: disk.fstatSync(fd),
    }
  } finally {
    disk.closeSync(fd)
  }
}

/** Ignores EPERM: only root can change the owner, so other users become the owner themselves. */
function keepOwner(disk: PlaceDisk, fd: number, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  const own = disk.fstatSync(fd)
  if (own.uid === uid && own.gid === gid) return
  try {
    disk.fchownSync(fd, uid, gid)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error
  }
}

/** Creates a temporary file next to `path` and removes it afterwards. After a kill, the run's next attempt removes it. */
function withPart<Result>(
  { disk, isAlive }: Tools,
  path: string,
  { run, mode }: { readonly run: string; readonly mode: number },
  use: (part: string, fd: number) => Result,
): Result {
  const prefix = partPrefix(path, run)
  removeStale({ disk, isAlive }, dirname(path), prefix)
  const part = join(dirname(path), `${prefix}${process.pid}.part`)
  const fd = disk.openSync(part, 'wx', mode)
  try {
    return use(part, fd)
  } finally {
    disk.closeSync(fd)
    removeQuietly(disk, part)
  }
}

const partPrefix = (path: string, run: string): string => `.${basename(path).slice(0, 100)}.${run}.`

/** Removes temporary files of dead processes. Two processes may write the same text at once. */
function removeStale({ disk, isAlive }: Tools, folder: string, prefix: string): void {
  for (const name of disk.readdirSync(folder)) {
    const pid = name.startsWith(prefix) ? /^(\d+)\.part$/.exec(name.slice(prefix.length))?.[1] : undefined
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    removeQuietly(disk, join(folder, name))
  }
}

function removeQuietly(disk: PlaceDisk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch {
    // It was renamed, or another process has removed it.
  }
}

/** Writes all bytes or throws: a full disk may accept part of a write without an error. */
function writeAll(disk: PlaceDisk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.writeSync(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk accepted no more bytes')
    done += written
  }
}

/** Opens a regular file without following a symlink or waiting for a named pipe. */
function openPlain(disk: PlaceDisk, path: string): number {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  const fd = disk.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  if (disk.fstatSync(fd).isFile()) return fd
  disk.closeSync(fd)
  throw new Error(`${path} is not a regular file`)
}

/** Syncs a folder, so that new names in it survive power loss. */
function syncFolder(disk: PlaceDisk, path: string): void {
  const fd = disk.openSync(path, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code
