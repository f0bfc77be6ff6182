import { join } from 'node:path'
import { CorruptJournalError } from '../../../ports/journal.ts'
import type { RunEntry, RunListing } from '../../../ports/run-store.ts'
import { asCard, checkVersion, maxLineBytes } from '../shared/values.ts'
import { type Disk, hasCode, openPlain, readAt } from './disk.ts'
import { livingOwner } from './lease.ts'
import { corruptError, journalName, parseLine, readLines } from './lines.ts'
import { readSlot } from './slots.ts'

/** Returns a run for a list. Reads only the two ends of the journal and folds no events. */
export function listRun(disk: Disk, entry: RunEntry): RunListing {
  const { address: dir } = entry
  try {
    const seq = lastSeq(disk, dir)
    return { ...entry, seq, card: asCard(readSlot(disk, dir, 'card')), owner: livingOwner(dir, disk) }
  } catch (error) {
    return { ...entry, seq: 0, problem: (error as Error).message }
  }
}

/** Returns the number of the last stored event, 0 if there is none. Throws if either end of the journal is damaged. */
export function lastSeq(disk: Disk, dir: string): number {
  const path = join(dir, journalName)
  const fd = openIfThere(disk, path)
  if (fd === undefined) return 0
  try {
    const last = lastNumber(disk, fd, path)
    if (last > 0) checkFirst(disk, fd, path)
    return last
  } finally {
    disk.closeSync(fd)
  }
}

export function openIfThere(disk: Disk, path: string): number | undefined {
  try {
    return openPlain(disk, path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Follows the rules of a full read: a torn tail is skipped, a bad line before the end is damage. */
function lastNumber(disk: Disk, fd: number, path: string): number {
  const { size } = disk.fstatSync(fd)
  const begin = Math.max(0, size - 2 * maxLineBytes)
  const last = scanNumbers(disk, fd, path, begin === 0 ? 0 : firstStart(disk, fd, begin))
  if (last !== undefined || begin === 0) return last ?? 0
  // Only a torn tail so far, which may have any length: read the complete file.
  return scanNumbers(disk, fd, path, 0) ?? 0
}

/** Returns the offset of the first line that begins after this offset. */
function firstStart(disk: Disk, fd: number, offset: number): number {
  const newline = readAt(disk, fd, offset, maxLineBytes).indexOf(10)
  return newline < 0 ? offset + maxLineBytes : offset + newline + 1
}

function scanNumbers(disk: Disk, fd: number, path: string, from: number): number | undefined {
  let seq: number | undefined
  let epoch = 0
  let bad: { start: number; why: string } | undefined
  for (const { text, start } of readLines(disk, fd, from)) {
    const line = parseLine(text, seq ?? 0)
    if (typeof line === 'string') {
      bad ??= { start, why: line }
      continue
    }
    if (bad) throw corruptError(disk, fd, path, bad.start, bad.why)
    if (line.epoch < epoch) continue
    // The first line read may be from a stale owner, so only lines of the same owner must be consecutive.
    if (seq !== undefined && line.epoch === epoch && line.seq !== seq + 1) {
      throw corruptError(disk, fd, path, start, `event ${line.seq} follows event ${seq}`)
    }
    seq = line.seq
    epoch = line.epoch
  }
  return seq
}

function checkFirst(disk: Disk, fd: number, path: string): void {
  const head = readAt(disk, fd, 0, maxLineBytes)
  const line = parseLine(head.toString('utf8', 0, Math.max(0, head.indexOf(10))), 0)
  const why = typeof line === 'string' ? line : line.seq !== 1 && `event ${line.seq} follows event 0`
  if (typeof line === 'string' || why) throw new CorruptJournalError({ place: `${path}:1`, byte: 0, why: String(why) })
  checkVersion(line, path)
}
