import { createHash, randomUUID } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { type Disk, hasCode, openPlain, syncFolder, writeAll } from '../../adapters/files/disk.ts'
import { dressedLike } from './text-style.ts'

/** Puts a new file there, whole. Contract: throws where one is there already, also one that has just appeared. */
export function placeNewFile(disk: Disk, path: string, text: string): void {
  withPart(disk, path, 0o666, (part, fd) => {
    writeAll(disk, fd, Buffer.from(text))
    disk.fdatasyncSync(fd)
    try {
      disk.linkSync(part, path)
    } catch (error) {
      if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].some((code) => hasCode(error, code))) throw error
      placeWithoutLinks(disk, path, text)
    }
  })
  syncFolder(disk, dirname(path))
}

/** Some file systems know no links: the name is taken first, and given back where the text does not fit. */
function placeWithoutLinks(disk: Disk, path: string, text: string): void {
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

export type Replaced = 'written' | 'unchanged' | 'changed since'

/**
 * Puts another text in the place of a file, if that still is what it was: with its mode, owner, line ends and end. `path`
 * is the file itself: where a link has come in its place, that is a change as well.
 */
export function replaceFile(disk: Disk, path: string, sha256: string, text: string): Replaced {
  const before = readKnown(disk, path, sha256)
  if (!before) return 'changed since'
  const { content, stat } = before
  const next = dressedLike(text, content)
  if (next === content) return 'unchanged'
  // Nobody reads the new text who may not read the old one, not even for a moment.
  const replaced = withPart(disk, path, 0o600, (part, fd) => {
    writeAll(disk, fd, Buffer.from(next))
    keepOwner(disk, fd, stat)
    disk.fchmodSync(fd, stat.mode & 0o7777)
    disk.fdatasyncSync(fd)
    // Writing took a moment, in which a person may have saved.
    if (!readKnown(disk, path, sha256)) return false
    disk.renameSync(part, path)
    return true
  })
  if (replaced) syncFolder(disk, dirname(path))
  return replaced ? 'written' : 'changed since'
}

function readKnown(disk: Disk, path: string, sha256: string) {
  let fd: number
  try {
    fd = openPlain(disk, path)
  } catch (error) {
    if (hasCode(error, 'EACCES')) throw error
    return undefined
  }
  try {
    const bytes = disk.readFileSync(fd)
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return undefined
    return { content: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), stat: disk.fstatSync(fd) }
  } finally {
    disk.closeSync(fd)
  }
}

/** Only root can give files away; for anybody else a file of another's becomes their own. */
function keepOwner(disk: Disk, fd: number, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  const own = disk.fstatSync(fd)
  if (own.uid === uid && own.gid === gid) return
  try {
    disk.fchownSync(fd, uid, gid)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error
  }
}

/** A file beside the one that is meant, gone afterwards whatever happens. */
function withPart<Result>(disk: Disk, path: string, mode: number, use: (part: string, fd: number) => Result): Result {
  const part = join(dirname(path), `.${basename(path).slice(0, 100)}.${randomUUID()}.part`)
  const fd = disk.openSync(part, 'wx', mode)
  try {
    return use(part, fd)
  } finally {
    disk.closeSync(fd)
    try {
      disk.unlinkSync(part)
    } catch {
      // It has its real name by now.
    }
  }
}
