import { join } from 'node:path'
import type { LoopEvent } from '../../../contract/event.ts'
import { fromLine, type Line } from '../../../contract/line.ts'
import { checkVersion, journalVersion } from '../shared/values.ts'
import { type Disk, readPlain, writeAtomic } from './disk.ts'
import { corruptError, lineBefore, parseLine, readLines } from './lines.ts'

export type Read = {
  readonly event: LoopEvent
  /** Byte offsets: where the line begins and where the next one begins. */
  readonly start: number
  readonly end: number
}

/** Position of a scan. When it has ended, everything from `end` on is torn or was written by a stale owner. */
export type Scan = {
  end: number
  seq: number
  epoch: number
  /** Run id of the events; empty until the first one is read. */
  run: string
  unknown: number
  stale: number
}
export const newScan = (): Scan => ({ end: 0, seq: 0, epoch: 0, run: '', unknown: 0, stale: 0 })

/**
 * Reads complete lines from `scan.end` on. A bad line with no good line after it is a torn tail and ends the scan; with a
 * good line after it, the journal is corrupt.
 */
export function* readEvents(disk: Disk, fd: number, path: string, scan: Scan): Generator<Read> {
  let bad: { start: number; why: string } | undefined
  for (const { text, start, end } of readLines(disk, fd, scan.end)) {
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
      throw corruptError(disk, fd, path, start, `event ${line.seq} belongs to another run`)
    }
    if (line.seq === 1) checkVersion(line, path)
    const event = decode(line, (why) => corruptError(disk, fd, path, start, why))
    Object.assign(scan, { end, seq: line.seq, epoch: line.epoch, run: line.run_id })
    if (event) yield { event, start, end }
    else scan.unknown++
  }
}

/** Yields the epochs of all lines from an offset on that parse, without further checks. */
export function* epochsFrom(disk: Disk, fd: number, from: number): Generator<number> {
  for (const { text } of readLines(disk, fd, from)) {
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
  /** Version of the journal that it replaces. */
  readonly journal: number
  readonly key: string
  readonly seq: number
  readonly end: number
  readonly epoch: number
  readonly view: { readonly state: { readonly seq: number }; readonly memo: unknown }
}
const name = 'snapshot.json'
const maxBytes = 64 * 1024 * 1024

/** `last` is the last line that the snapshot covers. */
type Saved = { readonly view: unknown; readonly scan: Scan; readonly last: Line }

/**
 * Reads the snapshot, which saves replaying the events it covers. Undefined unless its last line is still in the journal.
 * Checked by hand: loading a schema would take longer than the rest of a resume.
 */
export function readSnapshot(disk: Disk, dir: string, fd: number, fits: (key: string) => boolean): Saved | undefined {
  try {
    const found = JSON.parse(readPlain(disk, join(dir, name), maxBytes)) as Snapshot
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
    writeAtomic(disk, join(dir, name), JSON.stringify({ journal: journalVersion, ...snapshot }))
  } catch {
    // Only an optimization: the journal still has everything.
  }
}
