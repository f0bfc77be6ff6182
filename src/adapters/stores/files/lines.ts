import type { Line } from '../../../contract/line.ts'
import { CorruptJournalError } from '../../../ports/journal.ts'
import { maxLineBytes } from '../shared/values.ts'
import { type Disk, readAt } from './disk.ts'

export const journalName = 'progress.ndjson'

export type RawLine = { readonly text: string; readonly start: number; readonly end: number }

const chunkBytes = 1 << 20

/**
 * Yields the lines that end in a newline. Reads in chunks, so memory stays bounded. A line longer than a chunk is yielded
 * as an empty text, so that the lines after it are still read.
 */
export function* readLines(disk: Disk, fd: number, from: number): Generator<RawLine> {
  // A small buffer for a small journal: a thousand of them must not take a gigabyte.
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, Math.max(1, disk.fstatSync(fd).size - from)))
  let rest: Buffer = Buffer.alloc(0)
  let start = from
  let tooLong = false
  for (let position = from; ; ) {
    const length = disk.readSync(fd, chunk, 0, chunk.length, position)
    if (length === 0) return
    const bytes = rest.length ? Buffer.concat([rest, chunk.subarray(0, length)]) : chunk.subarray(0, length)
    const base = position - rest.length
    let begin = 0
    for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, begin)) {
      const end = base + newline + 1
      yield { text: tooLong ? '' : bytes.toString('utf8', begin, newline), start, end }
      begin = newline + 1
      start = end
      tooLong = false
    }
    position += length
    tooLong ||= bytes.length - begin > chunkBytes
    rest = tooLong ? Buffer.alloc(0) : Buffer.from(bytes.subarray(begin))
  }
}

/** Returns the parsed line, or why it cannot be an event. */
export function parseLine(text: string, after: number): Line | string {
  try {
    const line = JSON.parse(text) as Line
    if (line === null || typeof line !== 'object' || typeof line.seq !== 'number') return 'not an event'
    if (typeof line.context !== 'object' || line.context === null) return 'not an event'
    return line
  } catch {
    return after === 0 ? 'the first line is not JSON' : `invalid JSON after event ${after}`
  }
}

/** Returns the line that ends at this offset. Undefined if there is none. */
export function lineBefore(disk: Disk, fd: number, end: number): Line | undefined {
  const start = Math.max(0, end - maxLineBytes)
  const bytes = readAt(disk, fd, start, end - start)
  if (bytes.length !== end - start || bytes.at(-1) !== 10) return undefined
  const begin = bytes.lastIndexOf(10, bytes.length - 2) + 1
  const line = parseLine(bytes.toString('utf8', begin), 0)
  return typeof line === 'string' ? undefined : line
}

/** Adds the line number, which is counted only for errors. */
export function corruptError(disk: Disk, fd: number, path: string, offset: number, why: string): CorruptJournalError {
  return new CorruptJournalError({ place: `${path}:${lineNumber(disk, fd, offset)}`, byte: offset, why })
}

/** Returns the line number, starting at 1 like an editor. */
export function lineNumber(disk: Disk, fd: number, offset: number): number {
  let number = 1
  for (const { start } of readLines(disk, fd, 0)) {
    if (start >= offset) break
    number++
  }
  return number
}
