import { isUtf8 } from 'node:buffer'
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

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
