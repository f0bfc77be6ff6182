import { isUtf8 } from 'node:buffer'
import { closeSync, constants, existsSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/** Returns at most `maxBytes + 1` bytes of a file, or a string that names the obstacle (`missing`, `a directory`, ...). */
export function readNamedFile(path: string, maxBytes: number, { links = true } = {}): Buffer | string {
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | (links ? 0 : constants.O_NOFOLLOW))
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile()) return stat.isDirectory() ? 'a directory' : 'a pipe, socket or device'
      return readUpTo(fd, maxBytes + 1)
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

/** Does not trust the file size: files in /proc and /dev report 0 and may be endless. */
function readUpTo(fd: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = []
  for (let left = maxBytes; left > 0; ) {
    const chunk = Buffer.allocUnsafe(Math.min(left, 1 << 20))
    const length = readSync(fd, chunk)
    if (length === 0) break
    chunks.push(chunk.subarray(0, length))
    left -= length
  }
  return Buffer.concat(chunks)
}

export function findInvalidUtf8Line(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}

/**
 * Returns the real path if a symlink leads from inside the repository to outside of it. A hostile repository could make its
 * README a symlink to a private key, which would then be sent to a model or overwritten.
 */
export function findSymlinkEscape(path: string, folder: string): string | undefined {
  const root = findRepository(folder)
  const [real, realRoot] = [realPath(path), realPath(root)]
  if (real === undefined || realRoot === undefined || !isInside(path, root)) return undefined
  return isInside(real, realRoot) ? undefined : real
}

/** Returns the folder itself if it is in no repository. */
function findRepository(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}

function isInside(path: string, root: string): boolean {
  const fromRoot = relative(root, path)
  return fromRoot !== '..' && !fromRoot.startsWith(`..${sep}`)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
