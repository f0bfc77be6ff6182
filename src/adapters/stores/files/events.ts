import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoopEvent } from '../../../contract/event.ts'
import { fromLine } from '../../../contract/line.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Finding, Pages, Reading, StoredRun } from '../../../ports/run-store.ts'
import { type Disk, openPlain } from './disk.ts'
import { epochsFrom, findRefs, newScan, readEvents, readSnapshot, type Scan } from './event-reader.ts'
import { journalName, lineBefore, lineNumber } from './lines.ts'

const pageSize = 500
const pollMs = 200

/** Reads the events of a run without owning it. Changes nothing. */
export function readJournal(
  disk: Disk,
  dir: string,
  { snapshot: fits, upTo = Number.POSITIVE_INFINITY }: NonNullable<Parameters<StoredRun['read']>[0]>,
): Reading {
  const saved = fits && readSnapshotUpTo(disk, dir, fits, upTo)
  const from: Scan = { ...newScan(), ...saved?.scan }
  const events: Pages = { [Symbol.asyncIterator]: () => pages(disk, dir, { ...from }, upTo) }
  return { snapshot: saved?.view, last: saved?.last, events }
}

type Saved = { readonly view: unknown; readonly scan: Scan; readonly last: LoopEvent }

function readSnapshotUpTo(disk: Disk, dir: string, fits: (key: string) => boolean, upTo: number): Saved | undefined {
  return withJournal(disk, dir, (fd) => {
    const saved = readSnapshot(disk, dir, fd, fits)
    const last = saved && saved.scan.seq <= upTo ? decodeQuietly(saved.last) : undefined
    return saved && last && { ...saved, last }
  })
}

function decodeQuietly(line: Parameters<typeof fromLine>[0]): LoopEvent | undefined {
  try {
    return fromLine(line)
  } catch {
    return undefined
  }
}

/** Opens the file for the first page and closes it after the last, so a caller need not read any page. */
async function* pages(disk: Disk, dir: string, scan: Scan, upTo: number): AsyncGenerator<readonly LoopEvent[]> {
  const path = join(dir, journalName)
  if (!disk.existsSync(path)) return
  const fd = openPlain(disk, path)
  try {
    let page: LoopEvent[] = []
    for (const { event } of readEvents(disk, fd, path, scan)) {
      if (event.seq > upTo) break
      page.push(event)
      // Stop here: damaged lines after the last wanted event must not matter.
      if (event.seq === upTo) break
      if (page.length < pageSize) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  } finally {
    disk.closeSync(fd)
  }
}

/** Polls for new events. Never yields the same number twice, even if its line was cut off in the meantime. */
export async function* followJournal(
  disk: Disk,
  dir: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LoopEvent[]> {
  let scan = newScan()
  let lastSent = after
  while (!signal.aborted) {
    if (!isStillThere(disk, dir, scan)) scan = newScan()
    try {
      for await (const page of pages(disk, dir, scan, Number.POSITIVE_INFINITY)) {
        const fresh = page.filter(({ seq }) => seq > lastSent)
        lastSent = Math.max(lastSent, page.at(-1)!.seq)
        if (fresh.length > 0) yield fresh
        if (signal.aborted) return
      }
    } catch (error) {
      if (isStillThere(disk, dir, scan)) throw error
    }
    await delay(pollMs, undefined, { signal }).catch(() => {})
  }
}

/** Returns whether the last line read is unchanged. A new owner may have cut off lines, so offsets may be stale. */
function isStillThere(disk: Disk, dir: string, { end, seq, epoch }: Scan): boolean {
  if (end === 0) return true
  const line = withJournal(disk, dir, (fd) => lineBefore(disk, fd, end))
  return line?.seq === seq && line.epoch === epoch
}

/** Returns the file and line of an event, or only the file if the line cannot be found. */
export function describePlace(disk: Disk, dir: string, seq: number): string {
  const path = join(dir, journalName)
  try {
    const line = withJournal(disk, dir, (fd) => {
      for (const { event, start } of readEvents(disk, fd, path, newScan())) {
        if (event.seq === seq) return lineNumber(disk, fd, start)
      }
      return undefined
    })
    return line === undefined ? path : `${path}:${line}`
  } catch {
    return path
  }
}

const tailBytes = 64 * 1024

/**
 * Returns the highest epoch in the journal, 0 if there is none. Epochs increase, and a late old owner writes at most one
 * line, so the end is enough, unless it is torn.
 */
export function highestEpoch(disk: Disk, dir: string): number {
  const highestFrom = (fd: number, from: number): number => {
    let highest = 0
    for (const epoch of epochsFrom(disk, fd, from)) highest = Math.max(highest, epoch)
    return highest
  }
  return (
    withJournal(disk, dir, (fd) => {
      const from = Math.max(0, disk.fstatSync(fd).size - tailBytes)
      return highestFrom(fd, from) || highestFrom(fd, 0)
    }) ?? 0
  )
}

function withJournal<T>(disk: Disk, dir: string, use: (fd: number) => T): T | undefined {
  const path = join(dir, journalName)
  if (!disk.existsSync(path)) return undefined
  const fd = openPlain(disk, path)
  try {
    return use(fd)
  } finally {
    disk.closeSync(fd)
  }
}

/** Reads everything and returns all problems, including those that a normal read skips. Changes nothing. */
export function checkFiles(disk: Disk, dir: string, hasContent: (ref: Ref) => boolean): Finding[] {
  try {
    const { events, findings } = readAllEvents(disk, dir)
    return [...findings, ...events.flatMap((event) => missingContent(event, hasContent))]
  } catch (error) {
    return [{ says: (error as Error).message }]
  }
}

/** Reports bytes after the last good line, and events of an earlier owner or a newer version. */
function readAllEvents(disk: Disk, dir: string): { events: LoopEvent[]; findings: Finding[] } {
  const path = join(dir, journalName)
  const fd = openPlain(disk, path)
  try {
    const scan = newScan()
    const events = [...readEvents(disk, fd, path, scan)].map(({ event }) => event)
    const torn = disk.fstatSync(fd).size - scan.end
    const says = [
      torn > 0 &&
        `${torn} bytes after event ${scan.seq} are ignored; the next resume moves them to ${journalName}.torn`,
      scan.stale > 0 && `${scan.stale} events of an earlier owner are ignored`,
      scan.unknown > 0 && `${scan.unknown} events have a type that this version does not know`,
    ]
    return { events, findings: says.filter((one) => one !== false).map((one) => ({ says: one })) }
  } finally {
    disk.closeSync(fd)
  }
}

const missingContent = (event: LoopEvent, hasContent: (ref: Ref) => boolean): Finding[] =>
  findRefs(event)
    .filter((ref) => !hasContent(ref))
    .map(({ path }) => ({ seq: event.seq, says: `event ${event.seq} refers to ${path}, which is missing or changed` }))
