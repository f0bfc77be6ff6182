import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { LoopEvent } from '../../../contract/event.ts'
import { fromLine } from '../../../contract/line.ts'
import type { Ref } from '../../../contract/values.ts'
import type { Finding, Pages, Reading, StoredRun } from '../../../ports/run-store.ts'
import { type Disk, openPlain } from './disk.ts'
import { newScan, readEvents, readSnapshot, type Scan } from './event-reader.ts'
import { journalName, lineBefore, lineNumber } from './lines.ts'

const pageSize = 500
const lookMs = 200

/** Events of a run as they lie on disk, whoever writes them. Changes nothing. */
export function readJournal(
  disk: Disk,
  dir: string,
  { snapshot: fits, upTo = Number.POSITIVE_INFINITY }: NonNullable<Parameters<StoredRun['read']>[0]>,
): Reading {
  const kept = fits && keptBefore(disk, dir, fits, upTo)
  const from: Scan = { ...newScan(), ...kept?.scan }
  const events: Pages = { [Symbol.asyncIterator]: () => pages(disk, dir, { ...from }, upTo) }
  return { snapshot: kept?.view, last: kept?.last, events }
}

type Kept = { readonly view: unknown; readonly scan: Scan; readonly last: LoopEvent }

function keptBefore(disk: Disk, dir: string, fits: (key: string) => boolean, upTo: number): Kept | undefined {
  return withJournal(disk, dir, (fd) => {
    const kept = readSnapshot(disk, dir, fd, fits)
    const last = kept && kept.scan.seq <= upTo ? decodeQuietly(kept.last) : undefined
    return kept && last && { ...kept, last }
  })
}

function decodeQuietly(line: Parameters<typeof fromLine>[0]): LoopEvent | undefined {
  try {
    return fromLine(line)
  } catch {
    return undefined
  }
}

/** Opened when the first page is asked for and closed behind the last, so that nobody has to ask for any. */
async function* pages(disk: Disk, dir: string, scan: Scan, upTo: number): AsyncGenerator<readonly LoopEvent[]> {
  const path = join(dir, journalName)
  if (!disk.existsSync(path)) return
  const fd = openPlain(disk, path)
  try {
    let page: LoopEvent[] = []
    for (const { event } of readEvents(disk, fd, path, scan)) {
      if (event.seq > upTo) break
      page.push(event)
      // Lines behind the last one that is wanted are none of the reader's business, damaged or not.
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

/** Looks now and then whether there are more. No number is told twice, also where its line was cut off since. */
export async function* followJournal(
  disk: Disk,
  dir: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<readonly LoopEvent[]> {
  let scan = newScan()
  let told = after
  while (!signal.aborted) {
    if (!isStillThere(disk, dir, scan)) scan = newScan()
    try {
      for await (const page of pages(disk, dir, scan, Number.POSITIVE_INFINITY)) {
        const fresh = page.filter(({ seq }) => seq > told)
        told = Math.max(told, page.at(-1)!.seq)
        if (fresh.length > 0) yield fresh
        if (signal.aborted) return
      }
    } catch (error) {
      if (isStillThere(disk, dir, scan)) throw error
    }
    await delay(lookMs, undefined, { signal }).catch(() => {})
  }
}

/** A new owner cuts off what does not count; then the place that was reached means something else. */
function isStillThere(disk: Disk, dir: string, { end, seq, epoch }: Scan): boolean {
  if (end === 0) return true
  const line = withJournal(disk, dir, (fd) => lineBefore(disk, fd, end))
  return line?.seq === seq && line.epoch === epoch
}

/** File and line of an event. */
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

/** Reads everything and says what does not fit, also what a reader passes over. Changes nothing. */
export function checkFiles(disk: Disk, dir: string, hasContent: (ref: Ref) => boolean): Finding[] {
  try {
    const { events, findings } = readWhole(disk, dir)
    return [...findings, ...events.flatMap((event) => missingContent(event, hasContent))]
  } catch (error) {
    return [{ says: (error as Error).message }]
  }
}

/** Bytes behind the last good line, events of an earlier owner or of a newer version. */
function readWhole(disk: Disk, dir: string): { events: LoopEvent[]; findings: Finding[] } {
  const path = join(dir, journalName)
  const fd = openPlain(disk, path)
  try {
    const scan = newScan()
    const events = [...readEvents(disk, fd, path, scan)].map(({ event }) => event)
    const torn = disk.fstatSync(fd).size - scan.end
    const says = [
      torn > 0 && `${torn} bytes behind event ${scan.seq} do not count; the next resume cuts them off and keeps them`,
      scan.stale > 0 && `${scan.stale} events of an earlier owner do not count`,
      scan.unknown > 0 && `${scan.unknown} events are not known to this version`,
    ]
    return { events, findings: says.filter((one) => one !== false).map((one) => ({ says: one })) }
  } finally {
    disk.closeSync(fd)
  }
}

const missingContent = (event: LoopEvent, hasContent: (ref: Ref) => boolean): Finding[] =>
  findRefs(event)
    .filter((ref) => !hasContent(ref))
    .map(({ path }) => ({ seq: event.seq, says: `event ${event.seq} names ${path}, which is missing or different` }))

/** Refs may stand anywhere in an event's data. */
function findRefs(value: unknown): Ref[] {
  if (value === null || typeof value !== 'object') return []
  const { path, sha256, bytes } = value as Partial<Ref>
  if (typeof path === 'string' && typeof sha256 === 'string' && typeof bytes === 'number')
    return [{ path, sha256, bytes }]
  return Object.values(value).flatMap(findRefs)
}
