import { join } from 'node:path'
import type { LoopEvent } from '../../../contract/event.ts'
import { fromLine, type Line } from '../../../contract/line.ts'
import { type Disk, readPlain, writeWhole } from './disk.ts'
import { checkVersion, corruptError, journalVersion, lineBefore, parseLine, wholeLines } from './lines.ts'

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
