import { isUtf8 } from 'node:buffer'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** The bytes of a file that a person names, at most one more than allowed, or what stands in the way of reading them. */
export function readNamedFile(path: string, most: number, { links = true } = {}): Buffer | string {
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW))
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile()) return stat.isDirectory() ? 'a directory' : 'something that is not a file'
      return readUpTo(fd, most + 1)
    } finally {
      closeSync(fd)
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    return missingCodes.has(code ?? '') ? 'missing' : `a file that cannot be opened (${code ?? String(error)})`
  }
}

// ENOTDIR: service accounts often have /dev/null for a home.
const missingCodes = new Set(['ENOENT', 'ENOTDIR'])

/** Not by its size: files of the system say 0 and have no end. */
function readUpTo(fd: number, most: number): Buffer {
  const chunks: Buffer[] = []
  for (let left = most; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(left, 1 << 20))
    const length = readSync(fd, chunk)
    if (length === 0) break
    chunks.push(chunk.subarray(0, length))
    left -= length
  }
  return Buffer.concat(chunks)
}

export function firstBrokenLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}

/**
 * Where a path that seems to lie in this repository really leads, if that is outside of it. Whoever made the repository also made its links:
 * a README that is a link to a key is not what a person meant to send to a model, or to have written over.
 */
export function escapesRepository(path: string, folder: string): string | undefined {
  const root = findRepository(folder)
  const [real, realRoot] = [realPath(path), realPath(root)]
  if (real === undefined || realRoot === undefined || !isInside(path, root)) return undefined
  return isInside(real, realRoot) ? undefined : real
}

/** The folder itself, where it belongs to none. */
function findRepository(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
