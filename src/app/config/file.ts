import { isUtf8 } from 'node:buffer'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ConfigProblem } from './problem.ts'

const mostBytes = 1024 * 1024

export type FileText = { readonly text: string | null; readonly problems: readonly ConfigProblem[] }

/** The text of a config file; `null` without problems where there is none. */
export async function readText(path: string, shown: string): Promise<FileText> {
  const refuse = (found: string, next: string, line: number | null = null): FileText => {
    const allowed = 'a readable text file in UTF-8 of at most 1 MiB'
    const column = line === null ? null : 1
    return {
      text: null,
      problems: [{ file: shown, line, column, key: '', what: 'cannot be read', found, allowed, next }],
    }
  }
  const bytes = await readBytes(path)
  if (bytes === 'missing') return { text: null, problems: [] }
  if (typeof bytes === 'string') return refuse(bytes, 'Put a text file in its place, or remove it.')
  if (bytes.length > mostBytes) return refuse('more than 1 MiB', 'Make it smaller.')
  if (!isUtf8(bytes)) return refuse('bytes that are not UTF-8', 'Save the file as UTF-8.', firstBrokenLine(bytes))
  // The decoder drops a byte order mark, so columns count from the first letter.
  return { text: new TextDecoder().decode(bytes), problems: [] }
}

/** The bytes, at most one more than allowed, or what stands in the way of reading them. */
async function readBytes(path: string): Promise<Buffer | string> {
  try {
    // Without O_NONBLOCK, opening a FIFO waits for a writer that may never come.
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile()) return stat.isDirectory() ? 'a directory' : 'something that is not a file'
    const bytes = Buffer.allocUnsafe(mostBytes + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = (await handle.read(bytes, length, bytes.length - length, null)).bytesRead
    }
    return bytes.subarray(0, length)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // ENOTDIR: service accounts often have /dev/null for a home.
    return code === 'ENOENT' || code === 'ENOTDIR'
      ? 'missing'
      : `a file that cannot be opened (${code ?? String(error)})`
  }
}

function firstBrokenLine(bytes: Buffer): number {
  let line = 1
  for (let start = 0; ; line++) {
    const end = bytes.indexOf(0x0a, start)
    if (end === -1 || !isUtf8(bytes.subarray(start, end))) return line
    start = end + 1
  }
}
