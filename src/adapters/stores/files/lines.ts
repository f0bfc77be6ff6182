import { PawlError } from '../../../contract/exit.ts'
import type { Line } from '../../../contract/line.ts'
import { CorruptJournalError } from '../../../ports/journal.ts'
import { type Disk, readAt } from './disk.ts'

/** The journal format that this program reads and writes; others are refused. docs/journal.md says how an older one would be lifted. */
export const journalVersion = 2
export const journalName = 'progress.ndjson'
export const longestLine = 4096

export type RawLine = { readonly text: string; readonly start: number; readonly end: number }

const chunkBytes = 1 << 20

/**
 * The lines that end in a newline, read in chunks so that a long journal costs no memory. A line that no journal of ours
 * could hold comes as an empty text, so that what stands behind it is still seen.
 */
export function* wholeLines(disk: Disk, fd: number, from: number): Generator<RawLine> {
  // A journal that is begun has nothing to read, and a thousand of them must not take a gigabyte.
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

/** A line that could be an event, or why it is none. */
export function parseLine(text: string, after: number): Line | string {
  try {
    const line = JSON.parse(text) as Line
    if (line === null || typeof line !== 'object' || typeof line.seq !== 'number') return 'not an event'
    if (typeof line.context !== 'object' || line.context === null) return 'not an event'
    return line
  } catch {
    return after === 0 ? 'the first line is not JSON' : `no JSON after event ${after}`
  }
}

/** The first line says which journal it is; there is no other place for it that could not be lost apart from it. */
export function checkVersion(first: Line, path: string): void {
  const version = Number(first.context?.journal ?? Number.NaN)
  if (version > journalVersion) {
    throw new PawlError(
      30,
      `${path} was written by a newer pawl (journal ${version}); this one knows ${journalVersion}`,
    )
  }
  if (version < journalVersion) {
    const what = `${path} was written by an older pawl (journal ${version}); this one reads journal ${journalVersion}`
    throw new PawlError(30, what, 'Start a new run. Nothing was changed.')
  }
}

/** The line that ends at this offset, if one does. */
export function lineBefore(disk: Disk, fd: number, end: number): Line | undefined {
  const start = Math.max(0, end - longestLine)
  const bytes = readAt(disk, fd, start, end - start)
  if (bytes.length !== end - start || bytes.at(-1) !== 10) return undefined
  const begin = bytes.lastIndexOf(10, bytes.length - 2) + 1
  const line = parseLine(bytes.toString('utf8', begin), 0)
  return typeof line === 'string' ? undefined : line
}

/** With the number of the line, which is counted only where something is wrong. */
export function corruptError(disk: Disk, fd: number, path: string, offset: number, why: string): CorruptJournalError {
  return new CorruptJournalError(path, offset, why, lineNumber(disk, fd, offset))
}

/** As editors count: the line that begins at offset 0 is 1. */
export function lineNumber(disk: Disk, fd: number, offset: number): number {
  let number = 1
  for (const { start } of wholeLines(disk, fd, 0)) {
    if (start >= offset) break
    number++
  }
  return number
}
