import { join } from 'node:path'
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import type { LoopEvent } from '../../../contract/event.ts'
import { fromLine } from '../../../contract/line.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Finding, Pages, Reading, StoredRun } from '../../../ports/run-store.ts'
import { findRefs } from '../shared/values.ts'
import { type Disk, openPlain } from './disk.ts'
import { epochsFrom, newScan, type Read, readEvents, readSnapshot, type Scan } from './event-reader.ts'
import { journalName, lineBefore, lineNumber } from './lines.ts'

const pageSize = 500
const pollMs = 200

/** A journal that is read. `memory`: its beginning as read before, so that only what was added since is parsed. */
export type OpenJournal = { readonly disk: Disk; readonly dir: string; readonly memory: Memory }
type Memory = { events: LoopEvent[]; scan: Scan }

export const newMemory = (): Memory => ({ events: [], scan: newScan() })

/** A longer journal is read again each time. */
const mostRemembered = 50_000

/** Reads the events of a run without owning it. Changes nothing. */
export function readJournal(
  journal: OpenJournal,
  { snapshot: fits, upTo = Number.POSITIVE_INFINITY }: NonNullable<Parameters<StoredRun['read']>[0]>,
): Reading {
  const saved = fits && readSnapshotUpTo(journal.disk, journal.dir, fits, upTo)
  const from: Scan = { ...newScan(), ...saved?.scan }
  const events: Pages = { [Symbol.asyncIterator]: () => pages(journal, { ...from }, upTo) }
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
async function* pages(journal: OpenJournal, scan: Scan, upTo: number): AsyncGenerator<readonly LoopEvent[]> {
  const { disk, dir, memory } = journal
  const path = join(dir, journalName)
  if (!disk.existsSync(path)) return
  const fd = openPlain(disk, path)
  try {
    if (!isStillThere(disk, dir, memory.scan)) Object.assign(memory, newMemory())
    let reader = readEvents(disk, fd, path, scan)
    while (scan.seq < upTo) {
      // Another reader may have come further meanwhile.
      if (memory.scan.seq > scan.seq) {
        yield* takeKnown(memory, scan, upTo)
        reader = readEvents(disk, fd, path, scan)
        continue
      }
      const page = takePage(reader, memory, scan, upTo)
      if (page.length === 0) return
      yield page
      // A long journal must not keep a server from answering others.
      await nextTurn()
    }
  } finally {
    disk.closeSync(fd)
  }
}

/** Yields what is known after the scan, and moves the scan behind it. */
function* takeKnown({ events, scan: known }: Memory, scan: Scan, upTo: number): Generator<readonly LoopEvent[]> {
  const fresh = events.filter(({ seq }) => seq > scan.seq && seq <= upTo)
  Object.assign(scan, known)
  for (let at = 0; at < fresh.length; at += pageSize) yield fresh.slice(at, at + pageSize)
}

/** Reads a page, and remembers it if it follows what is known. */
function takePage(reader: Iterator<Read>, memory: Memory, scan: Scan, upTo: number): LoopEvent[] {
  const follows = memory.scan.seq === scan.seq
  const page: LoopEvent[] = []
  // Stops at the last wanted event: damaged lines after it must not matter.
  while (page.length < pageSize && scan.seq < upTo) {
    const { value, done } = reader.next()
    if (done) break
    page.push(value.event)
  }
  if (page.at(-1)?.seq === scan.seq && follows && scan.seq <= mostRemembered) {
    memory.events.push(...page)
    memory.scan = { ...scan }
  }
  return page.filter(({ seq }) => seq <= upTo)
}

/** Polls for new events. Never yields the same number twice, even if its line was cut off in the meantime. */
export async function* followJournal(
  journal: OpenJournal,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LoopEvent[]> {
  const { disk, dir } = journal
  let scan = newScan()
  let lastSent = after
  while (!signal.aborted) {
    if (!isStillThere(disk, dir, scan)) scan = newScan()
    try {
      for await (const page of pages(journal, scan, Number.POSITIVE_INFINITY)) {
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
