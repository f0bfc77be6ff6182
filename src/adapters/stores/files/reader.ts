import type { LoopEvent } from '../../../contract/event.ts'
import { PawlError } from '../../../contract/exit.ts'
import { fromLine, journalVersion, type Line } from '../../../contract/line.ts'
import type { Disk } from './disk.ts'

/** The journal contradicts itself before its end. Nothing is overwritten; a person decides. */
export class CorruptJournalError extends Error {
  override name = 'CorruptJournalError'
  readonly offset: number
  constructor(path: string, offset: number, why: string) {
    super(`${path} is damaged at byte ${offset}: ${why}. Nothing was changed. To look: pawl fsck`)
    this.offset = offset
  }
}

/** Lifts a line of an older journal by one version. Entry n makes version n + 1 of it. */
export type Upcasters = Readonly<Record<number, (line: Line) => Line>>

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
  version: number
  unknown: number
  stale: number
}

const chunkBytes = 1 << 20

/**
 * Reads whole lines from `scan.end` on. A bad line with nothing good behind it is a torn tail and ends the scan; one
 * with a good line behind it is damage.
 */
export function* readEvents(
  disk: Disk,
  fd: number,
  path: string,
  scan: Scan,
  upcasters: Upcasters = {},
): Generator<Read> {
  let bad: { start: number; why: string } | undefined
  for (const { text, start, end } of wholeLines(disk, fd, scan.end)) {
    const line = parseLine(text, scan.seq)
    if (typeof line === 'string') {
      bad ??= { start, why: line }
      continue
    }
    if (bad) throw new CorruptJournalError(path, bad.start, bad.why)
    if (line.epoch < scan.epoch) {
      scan.stale++
      continue
    }
    if (line.seq !== scan.seq + 1) {
      throw new CorruptJournalError(path, start, `event ${line.seq} follows event ${scan.seq}`)
    }
    if (scan.run !== '' && line.run_id !== scan.run) {
      throw new CorruptJournalError(path, start, `event ${line.seq} is of another run`)
    }
    if (line.seq === 1) scan.version = versionOf(line, path)
    Object.assign(scan, { end, seq: line.seq, epoch: line.epoch, run: line.run_id })
    const event = decode(line, scan.version, upcasters, path, start)
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

function decode(line: Line, version: number, upcasters: Upcasters, path: string, start: number): LoopEvent | undefined {
  let lifted = line
  for (let from = version; from < journalVersion; from++) lifted = upcasters[from]?.(lifted) ?? lifted
  try {
    return fromLine(lifted)
  } catch (error) {
    throw new CorruptJournalError(path, start, `event ${line.seq} is malformed: ${brief(error)}`)
  }
}

function versionOf(line: Line, path: string): number {
  const version = Number(line.context?.journal ?? Number.NaN)
  if (version > journalVersion) {
    throw new PawlError(
      30,
      `${path} was written by a newer pawl (journal ${version}); this one knows ${journalVersion}`,
    )
  }
  return version
}

function parseLine(text: string, after: number): Line | string {
  try {
    const line = JSON.parse(text) as Line
    if (line === null || typeof line !== 'object' || typeof line.seq !== 'number') return 'not an event'
    if (typeof line.context !== 'object' || line.context === null) return 'not an event'
    return line
  } catch {
    return after === 0 ? 'the first line is not JSON' : `no JSON after event ${after}`
  }
}

const brief = (error: unknown): string =>
  String((error as Error).message ?? error)
    .replace(/\s+/g, ' ')
    .slice(0, 200)

/**
 * The lines that end in a newline, read in chunks so that a long journal costs no memory. A line that no journal of ours
 * could hold comes as an empty text, so that what stands behind it is still seen.
 */
function* wholeLines(disk: Disk, fd: number, from: number): Generator<{ text: string; start: number; end: number }> {
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
