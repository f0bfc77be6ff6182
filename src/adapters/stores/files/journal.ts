import { join } from 'node:path'
import type { Draft, LoopEvent } from '../../../contract/event.ts'
import { toLine } from '../../../contract/line.ts'
import type { Ref } from '../../../contract/values.ts'
import { type Journal, NotSavedError, StaleWriterError } from '../../../ports/journal.ts'
import type { Lease } from '../../../ports/lease.ts'
import { type Disk, realDisk, syncFolder, writeAll } from './disk.ts'
import { epochsFrom, newScan, type Read, readEvents, readSnapshot, type Scan, writeSnapshot } from './event-reader.ts'
import { journalName, longestLine } from './lines.ts'

export type FileJournalOptions = {
  readonly dir: string
  readonly run: string
  readonly lease: Lease
  readonly disk?: Disk | undefined
  /** Makes content files safe before the events that name them. */
  readonly flushContent?: () => Promise<void>
  /** Whether a content file is there and is what its event says. */
  readonly hasContent?: (ref: Ref) => boolean
  /** Told when something was cut off or skipped on loading. */
  readonly onRepair?: (what: string) => void
}

/** The journal of one run as a file of lines. One writer, guarded by the lease. After `close` nothing is taken any more. */
export function openFileJournal(options: FileJournalOptions): Journal & { close(): void } {
  const { dir, run, lease, disk = realDisk, onRepair } = options
  const path = join(dir, journalName)
  const fd = orNotSaved(path, openJournal)
  let end: number | undefined
  /** The writer has not seen lines of unknown kinds, so the last number it has seen may be lower than the last one there is. */
  let [lastSeq, seenSeq] = [0, 0]
  let last: { readonly draft: Draft; readonly event: LoopEvent } | undefined
  let broken: NotSavedError | undefined
  let named = false
  let closed = false

  return {
    async load(key) {
      lease.check()
      const kept = readSnapshot(disk, dir, fd, (kept) => kept === key)
      seenSeq = kept?.scan.seq ?? 0
      return { snapshot: kept?.view, events: replay(kept?.scan) }
    },
    append: (draft) =>
      guarded(() => {
        lease.check()
        return draft.seq === seenSeq + 1 ? addEvent(draft) : storedBefore(draft)
      }),
    sync: () =>
      guarded(async () => {
        await options.flushContent?.()
        await disk.fdatasync(fd)
        if (!named) syncFolder(disk, dir)
        named = true
      }),
    async keep(key, seq, view) {
      if (!broken && end !== undefined) writeSnapshot(disk, dir, { key, seq, end, view, epoch: lease.epoch })
    },
    close() {
      if (closed) return
      closed = true
      broken ??= new NotSavedError(`${path} is closed`)
      disk.closeSync(fd)
    },
  }

  function addEvent(draft: Draft): LoopEvent {
    if (end === undefined) throw new Error('the journal must be loaded to its end before anything is added')
    const event: LoopEvent = { ...draft, seq: lastSeq + 1, epoch: lease.epoch }
    addLine(event, end)
    last = { draft, event }
    lastSeq = event.seq
    seenSeq = event.seq
    return event
  }

  function storedBefore(draft: Draft): LoopEvent {
    if (last && JSON.stringify(last.draft) === JSON.stringify(draft)) return last.event
    throw new Error(`event ${draft.seq} does not follow event ${seenSeq}`)
  }

  /** Opened for both, so a pipe in its place does not hold us up; and it is not taken for a journal. */
  function openJournal(): number {
    const opened = disk.openSync(path, 'a+', 0o600)
    if (disk.fstatSync(opened).isFile()) return opened
    disk.closeSync(opened)
    throw new Error('not a plain file')
  }

  /** Yields what counts; when all of it is read, what does not count is cut off and kept aside. */
  async function* replay(from: Partial<Scan> = {}): AsyncGenerator<LoopEvent> {
    const scan = { ...newScan(), ...from, run }
    let unsure: Read[] = []
    for (const read of readEvents(disk, fd, path, scan)) {
      unsure.push(read)
      if (!wasSynced(read.event)) continue
      for (const { event } of unsure) yield event
      seenSeq = read.event.seq
      unsure = []
    }
    const lost = unsure.findIndex(({ event }) => !hasAllContent(event))
    cutAt(lost < 0 ? scan.end : unsure[lost]!.start, lost < 0 ? 'a torn last line' : 'events whose content is missing')
    const sure = lost < 0 ? unsure : unsure.slice(0, lost)
    lastSeq = lost < 0 ? scan.seq : unsure[lost]!.event.seq - 1
    seenSeq = sure.at(-1)?.event.seq ?? seenSeq
    if (scan.unknown) onRepair?.(`skipped ${scan.unknown} events that this version does not know`)
    if (scan.stale) onRepair?.(`skipped ${scan.stale} events of an earlier owner`)
    for (const { event } of sure) yield event
  }

  function hasAllContent(event: LoopEvent): boolean {
    return !options.hasContent || listRefs(event).every(options.hasContent)
  }

  function addLine(event: LoopEvent, from: number): void {
    const bytes = Buffer.from(`${JSON.stringify(toLine(event, run))}\n`)
    if (bytes.length > longestLine) {
      throw new Error(`event ${event.seq} has ${bytes.length} bytes; content belongs in a file beside the journal`)
    }
    const { size } = disk.fstatSync(fd)
    if (size < from) throw new Error('somebody has shortened it')
    if (size > from) cutForeign(from)
    try {
      writeAll(disk, fd, bytes)
    } catch (error) {
      truncateQuietly(from)
      throw error
    }
    end = from + bytes.length
  }

  /** An owner that was taken over may have added a line in its last moment; it does not count. An heir's line does. */
  function cutForeign(from: number): void {
    lease.check()
    for (const epoch of epochsFrom(disk, fd, Math.max(0, from - longestLine))) {
      if (epoch > lease.epoch) throw new StaleWriterError('another process has taken this run over')
    }
    cutAt(from, 'a line of an earlier owner')
  }

  function cutAt(offset: number, what: string): void {
    const extra = disk.fstatSync(fd).size - offset
    if (extra > 0) {
      keepTorn(offset)
      disk.ftruncateSync(fd, offset)
      onRepair?.(`cut off ${what} (${extra} bytes, kept in ${journalName}.torn)`)
    }
    end = offset
  }

  function keepTorn(from: number): void {
    const torn = disk.openSync(`${path}.torn`, 'a', 0o600)
    const chunk = Buffer.alloc(1 << 16)
    try {
      for (let at = from, read = 1; read > 0; at += read) {
        read = disk.readSync(fd, chunk, 0, chunk.length, at)
        writeAll(disk, torn, chunk.subarray(0, read))
      }
    } finally {
      disk.closeSync(torn)
    }
  }

  function truncateQuietly(offset: number): void {
    try {
      disk.ftruncateSync(fd, offset)
    } catch {
      // The next open finds a torn line and cuts it.
    }
  }

  /** After one failure nothing is trusted any more: a second sync may report success for data that is gone. */
  async function guarded<T>(action: () => T | Promise<T>): Promise<T> {
    if (broken) throw broken
    try {
      return await action()
    } catch (error) {
      broken ??= notSaved(path, error)
      throw broken
    }
  }
}

/** Events that the kernel syncs before it goes on; what stands before them is on disk, content included. */
const wasSynced = ({ type }: LoopEvent): boolean =>
  type === 'attempt-started' || type === 'run-ended' || type === 'run-interrupted'

function listRefs(event: LoopEvent): Ref[] {
  if (event.type === 'call-ended') return event.call.output ? [event.call.output] : []
  if (event.type === 'attempt-ended') return event.outcome.output ? [event.outcome.output] : []
  if (event.type === 'verdict-reached') return event.verdict.evidence ? [event.verdict.evidence] : []
  return []
}

function orNotSaved<T>(path: string, action: () => T): T {
  try {
    return action()
  } catch (error) {
    throw notSaved(path, error)
  }
}

const notSaved = (path: string, error: unknown): NotSavedError =>
  error instanceof NotSavedError
    ? error
    : new NotSavedError(`cannot write ${path}: ${(error as Error).message}`, { cause: error })
