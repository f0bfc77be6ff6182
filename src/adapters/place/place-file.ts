import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Every file call that is made here, so that tests can fail each of them. */
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

/** Writes texts into files that were named for them: whole or not at all, never over a file that is not what it was. */
export function createPlaceText({ isAlive, disk = fs }: PlaceTools) {
  return {
    create: (path: string, text: string, run: string): 'written' | 'there already' =>
      placeNewFile({ disk, isAlive }, path, { text, run }),
    replace: (path: string, sha256: string, text: string, run: string): Replaced =>
      replaceFile({ disk, isAlive }, path, sha256, { text, run }),
  }
}

type Tools = Required<PlaceTools>

/** What is written, and by which run: one that was killed over it does it again. */
type Piece = { readonly text: string; readonly run: string }

/** Puts a new file there, whole. Contract: throws where another one is there already, also one that has just appeared. */
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
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'].some((code) => hasCode(error, code))) throw error
    placeWithoutLinks(disk, path, text)
  }
}

/** Some file systems know no links: the name is taken first, and given back where the text does not fit. */
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

type Replaced = 'written' | 'unchanged' | 'there already' | 'changed since'

/**
 * Puts another text in the place of a file, if that still is what it was: with its mode, owner, line ends and end. `path`
 * is the file itself: where a link has come in its place, that is a change as well.
 */
function replaceFile(tools: Tools, path: string, sha256: string, { text, run }: Piece): Replaced {
  const { disk } = tools
  const before = readPlainly(disk, path)
  const isKnown = before?.sha256 === sha256
  const next = before && matchStyle(text, before.content)
  if (before && next === before.content) return isKnown ? 'unchanged' : 'there already'
  if (!before || !isKnown) return 'changed since'
  const { stat } = before
  // Nobody reads the new text who may not read the old one, not even for a moment.
  const replaced = withPart(tools, path, { run, mode: 0o600 }, (part, fd) => {
    writeAll(disk, fd, Buffer.from(next!))
    keepOwner(disk, fd, stat)
    disk.fchmodSync(fd, stat.mode & 0o7777)
    disk.fdatasyncSync(fd)
    // Writing took a moment, in which a person may have saved.
    if (readPlainly(disk, path)?.sha256 !== sha256) return false
    disk.renameSync(part, path)
    return true
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
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    return { sha256, content: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes), stat: disk.fstatSync(fd) }
  } finally {
    disk.closeSync(fd)
  }
}

/** Only root can give files away; for anybody else a file of another's becomes their own. */
function keepOwner(disk: PlaceDisk, fd: number, { uid, gid }: { readonly uid: number; readonly gid: number }): void {
  const own = disk.fstatSync(fd)
  if (own.uid === uid && own.gid === gid) return
  try {
    disk.fchownSync(fd, uid, gid)
  } catch (error) {
    if (!hasCode(error, 'EPERM')) throw error
  }
}

/** A file beside the one that is meant, gone afterwards whatever happens: after a kill, once the run hands over again. */
function withPart<Result>(
  { disk, isAlive }: Tools,
  path: string,
  { run, mode }: { readonly run: string; readonly mode: number },
  use: (part: string, fd: number) => Result,
): Result {
  const begins = `.${basename(path).slice(0, 100)}.${run}.`
  removeLeft({ disk, isAlive }, dirname(path), begins)
  const part = join(dirname(path), `${begins}${process.pid}.part`)
  const fd = disk.openSync(part, 'wx', mode)
  try {
    return use(part, fd)
  } finally {
    disk.closeSync(fd)
    removeQuietly(disk, part)
  }
}

/** Two may hand over the same text at once: what a living process writes is left to it. */
function removeLeft({ disk, isAlive }: Tools, folder: string, begins: string): void {
  for (const name of disk.readdirSync(folder)) {
    const pid = name.startsWith(begins) ? /^(\d+)\.part$/.exec(name.slice(begins.length))?.[1] : undefined
    if (pid === undefined || (Number(pid) !== process.pid && isAlive(Number(pid)))) continue
    removeQuietly(disk, join(folder, name))
  }
}

function removeQuietly(disk: PlaceDisk, path: string): void {
  try {
    disk.unlinkSync(path)
  } catch {
    // It has its real name by now, or somebody else has removed it.
  }
}

/** All bytes or an error: a full disk may take a part of a write without complaint. */
function writeAll(disk: PlaceDisk, fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) {
    const written = disk.writeSync(fd, bytes, done, bytes.length - done)
    if (written <= 0) throw new Error('the disk took no more bytes')
    done += written
  }
}

/** No link is followed, no pipe waited for. */
function openPlain(disk: PlaceDisk, path: string): number {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants
  const fd = disk.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  if (disk.fstatSync(fd).isFile()) return fd
  disk.closeSync(fd)
  throw new Error(`${path} is not a plain file`)
}

/** Makes the names in a folder survive power loss. */
function syncFolder(disk: PlaceDisk, path: string): void {
  const fd = disk.openSync(path, 'r')
  try {
    disk.fsyncSync(fd)
  } finally {
    disk.closeSync(fd)
  }
}

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | null)?.code === code

const mark = '\ufeff'

/** A text with the byte order mark, the line ends and the end that another one has: what nobody asked to change stays. */
function matchStyle(text: string, original: string): string {
  const eol = usualLineEnd(original)
  const bare = text
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\n+$/, '')
  const end = /[\r\n]$/.test(original) ? '\n' : ''
  return (original.startsWith(mark) ? mark : '') + `${bare}${end}`.replaceAll('\n', eol)
}

/** As most of its lines end. */
function usualLineEnd(text: string): '\n' | '\r\n' {
  const [windows, all] = [text.split('\r\n').length - 1, text.split('\n').length - 1]
  return windows > all / 2 ? '\r\n' : '\n'
}
