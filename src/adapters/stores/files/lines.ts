import { join } from 'node:path'
import type { LoopEvent } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import { fromLine, journalVersion, type Line } from '../../../contract/line.ts'
import { CorruptJournalError } from '../../../ports/journal.ts'
import { type Disk, readAt, readPlain, writeWhole } from './disk.ts'

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

export type Read = {
  readonly event: LoopEvent
  /** Where the line begins and where the next one will. */
  readonly start: number
  readonly end: number
}

/** Where a scan begins, and where it has got to. Everything from `end` on is torn, or was written by a stale owner. */
export type Scan = {
  end: number
  seq: number
  epoch: number
  /** Whose events these are; empty until the first of them has told. */
  run: string
  unknown: number
  stale: number
}
export const newScan = (): Scan => ({ end: 0, seq: 0, epoch: 0, run: '', unknown: 0, stale: 0 })

/**
 * Reads whole lines from `scan.end` on. A bad line with nothing good behind it is a torn tail and ends the scan; one
 * with a good line behind it is damage.
 */
export function* readEvents(disk: Disk, fd: number, path: string, scan: Scan): Generator<Read> {
  let bad: { start: number; why: string } | undefined
  for (const { text, start, end } of wholeLines(disk, fd, scan.end)) {
    const line = parseLine(text, scan.seq)
    if (typeof line === 'string') {
      bad ??= { start, why: line }
      continue
    }
    if (bad) throw corruptError(disk, fd, path, bad.start, bad.why)
    if (line.epoch < scan.epoch) {
      scan.stale++
      continue
    }
    if (line.seq !== scan.seq + 1) {
      throw corruptError(disk, fd, path, start, `event ${line.seq} follows event ${scan.seq}`)
    }
    if (scan.run !== '' && line.run_id !== scan.run) {
      throw corruptError(disk, fd, path, start, `event ${line.seq} is of another run`)
    }
    if (line.seq === 1) checkVersion(line, path)
    const event = decode(line, (why) => corruptError(disk, fd, path, start, why))
    Object.assign(scan, { end, seq: line.seq, epoch: line.epoch, run: line.run_id })
    if (event) yield { event, start, end }
    else scan.unknown++
  }
}

/** The epochs of the lines from an offset on, whatever else is wrong with them. */
export function* epochsFrom(disk: Disk, fd: number, from: number): Generator<number> {
  for (const { text } of wholeLines(disk, fd, from)) {
    const line = parseLine(text, 0)
    if (typeof line !== 'string') yield line.epoch
  }
}

function decode(line: Line, corrupt: (why: string) => Error): LoopEvent | undefined {
  try {
    return fromLine(line)
  } catch (error) {
    throw corrupt(`event ${line.seq} is malformed: ${brief(error)}`)
  }
}

const brief = (error: unknown): string =>
  String((error as Error).message ?? error)
    .replace(/\s+/g, ' ')
    .slice(0, 200)

type Snapshot = {
  /** The version of the journal that it stands for. */
  readonly journal: number
  readonly key: string
  readonly seq: number
  readonly end: number
  readonly epoch: number
  readonly view: { readonly state: { readonly seq: number }; readonly memo: unknown }
}
const name = 'snapshot.json'
const largest = 64 * 1024 * 1024

/** `last` is the line that the snapshot ends with. */
type Kept = { readonly view: unknown; readonly scan: Scan; readonly last: Line }

/**
 * A shortcut past the events that it stands for. It counts only if the line that it ends with is still there. Checked
 * by hand: a schema's first use would take longer than all the rest of a resume.
 */
export function readSnapshot(disk: Disk, dir: string, fd: number, fits: (key: string) => boolean): Kept | undefined {
  try {
    const found = JSON.parse(readPlain(disk, join(dir, name), largest)) as Snapshot
    const line = lineBefore(disk, fd, found.end)
    if (
      found.journal !== journalVersion ||
      !fits(found.key) ||
      found.view.state.seq !== found.seq ||
      found.view.memo === undefined ||
      line?.seq !== found.seq ||
      line.epoch !== found.epoch
    )
      return undefined
    const { end, seq, epoch, view } = found
    const scan = { end, seq, epoch, run: line.run_id, unknown: 0, stale: 0 }
    return { view, last: line, scan }
  } catch {
    return undefined
  }
}

type NewSnapshot = Omit<Snapshot, 'journal' | 'view'> & { readonly view: unknown }

export function writeSnapshot(disk: Disk, dir: string, snapshot: NewSnapshot): void {
  try {
    writeWhole(disk, join(dir, name), JSON.stringify({ journal: journalVersion, ...snapshot }))
  } catch {
    // Only a shortcut: the journal still holds everything.
  }
}
