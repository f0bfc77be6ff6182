import { join } from 'node:path'
import type { Draft, LoopEvent } from '../../../contract/event.ts'
import { toLine } from '../../../contract/line.ts'
import type { Ref } from '../../../contract/values.ts'
import { type Journal, NotSavedError, StaleWriterError } from '../../../ports/journal.ts'
import type { Lease } from '../../../ports/lease.ts'
import { findRefs, maxLineBytes } from '../shared/values.ts'
import { type Disk, realDisk, syncFolder, writeAll } from './disk.ts'
import { epochsFrom, newScan, type Read, readEvents, readSnapshot, type Scan, writeSnapshot } from './event-reader.ts'
import { readLostMs, startHeartbeat } from './heartbeat.ts'
import { journalName } from './lines.ts'

export type FileJournalOptions = {
  readonly dir: string
  readonly run: string
  readonly lease: Lease
  readonly disk?: Disk | undefined
  /** Syncs content files before the events that refer to them. */
  readonly flushContent?: () => Promise<void>
  /** Returns whether a content file exists and matches its hash. The next `flushContent` syncs it. */
  readonly recoverContent?: (ref: Ref) => boolean
  /** The last event that is on disk for certain, with everything before it. */
  readonly provenSeq?: () => number
  /** Called when something was cut off or skipped while loading. */
  readonly onRepair?: (what: string) => void
}

/** Opens the journal of one run, a file of lines with one writer guarded by the lease. Rejects all calls after `close`. */
export function openFileJournal(options: FileJournalOptions): Journal & { close(): void } {
  const { dir, run, lease, disk = realDisk, onRepair } = options
  const path = join(dir, journalName)
  const fd = orNotSaved(path, openJournal)
  let end: number | undefined
  /** Events of unknown types are not passed to the writer, so `seenSeq` may be lower than `lastSeq`. */
  let [lastSeq, seenSeq] = [0, 0]
  let last: { readonly draft: Draft; readonly event: LoopEvent } | undefined
  let broken: NotSavedError | undefined
  let isFolderSynced = false
  let closed = false
  let lostMs = 0
  const heartbeat = startHeartbeat(disk, dir, lease.epoch)

  return {
    async load(key) {
      lease.check()
      const saved = readSnapshot(disk, dir, fd, (savedKey) => savedKey === key)
      seenSeq = saved?.scan.seq ?? 0
      return { snapshot: saved?.view, events: replay(saved?.scan), lostMs: () => lostMs }
    },
    append: (draft) =>
      guarded(() => {
        lease.check()
        return draft.seq === seenSeq + 1 ? addEvent(draft) : findStored(draft)
      }),
    sync: () =>
      guarded(async () => {
        await options.flushContent?.()
        await disk.fdatasync(fd)
        if (!isFolderSynced) syncFolder(disk, dir)
        isFolderSynced = true
      }),
    async keep(key, seq, view) {
      if (!broken && end !== undefined) writeSnapshot(disk, dir, { key, seq, end, view, epoch: lease.epoch })
    },
    close() {
      if (closed) return
      closed = true
      heartbeat.end()
      broken ??= new NotSavedError(`${path} is closed`)
      disk.closeSync(fd)
    },
  }

  function addEvent(draft: Draft): LoopEvent {
    if (end === undefined) throw new Error('the journal must be loaded to its end before appending')
    const event: LoopEvent = { ...draft, seq: lastSeq + 1, epoch: lease.epoch }
    addLine(event, end)
    last = { draft, event }
    lastSeq = event.seq
    seenSeq = event.seq
    heartbeat.wrote(event.seq)
    return event
  }

  function findStored(draft: Draft): LoopEvent {
    if (last && JSON.stringify(last.draft) === JSON.stringify(draft)) return last.event
    throw new Error(`event ${draft.seq} does not follow event ${seenSeq}`)
  }

  /** Opens for reading and writing, which does not block on a named pipe. Throws for anything but a regular file. */
  function openJournal(): number {
    const opened = disk.openSync(path, 'a+', 0o600)
    if (disk.fstatSync(opened).isFile()) return opened
    disk.closeSync(opened)
    throw new Error('not a regular file')
  }

  /**
   * Yields the valid events, then cuts off the rest and saves it in the `.torn` file. A sync has ended for certain only
   * if its owner wrote something after it: another event, or a card. Events after the last such sync are valid up to the first
   * whose content is missing.
   */
  async function* replay(from: Partial<Scan> = {}): AsyncGenerator<LoopEvent> {
    const scan = { ...newScan(), ...from, run }
    let unsure: Read[] = []
    for (const read of readEvents(disk, fd, path, scan)) {
      const before = unsure.at(-1)?.event
      if (before && isSynced(before) && before.epoch === read.event.epoch) {
        for (const { event } of unsure) yield event
        seenSeq = before.seq
        unsure = []
      }
      unsure.push(read)
    }
    const proven = options.provenSeq?.() ?? 0
    const lost = unsure.findIndex(({ event }) => event.seq > proven && !hasAllContent(event))
    cutAt(lost < 0 ? scan.end : unsure[lost]!.start, lost < 0 ? 'a torn last line' : 'events whose content is missing')
    const sure = lost < 0 ? unsure : unsure.slice(0, lost)
    lastSeq = lost < 0 ? scan.seq : unsure[lost]!.event.seq - 1
    seenSeq = sure.at(-1)?.event.seq ?? seenSeq
    lostMs = readLostMs(disk, dir, { epoch: scan.epoch, seq: lastSeq })
    if (scan.unknown) onRepair?.(`skipped ${scan.unknown} events of a type that this version does not know`)
    if (scan.stale) onRepair?.(`skipped ${scan.stale} events of an earlier owner`)
    for (const { event } of sure) yield event
  }

  function hasAllContent(event: LoopEvent): boolean {
    return !options.recoverContent || findRefs(event).every(options.recoverContent)
  }

  function addLine(event: LoopEvent, from: number): void {
    const bytes = Buffer.from(`${JSON.stringify(toLine(event, run))}\n`)
    if (bytes.length > maxLineBytes) {
      throw new Error(`event ${event.seq} has ${bytes.length} bytes; store its content in a file instead`)
    }
    const { size } = disk.fstatSync(fd)
    if (size < from) throw new Error('another process has truncated it')
    if (size > from) cutForeign(from)
    try {
      writeAll(disk, fd, bytes)
    } catch (error) {
      truncateQuietly(from)
      throw error
    }
    end = from + bytes.length
  }

  /** Cuts off a line that the previous owner wrote during the takeover. Throws if the line is from a newer owner. */
  function cutForeign(from: number): void {
    lease.check()
    for (const epoch of epochsFrom(disk, fd, Math.max(0, from - maxLineBytes))) {
      if (epoch > lease.epoch) throw new StaleWriterError('another process has taken over this run')
    }
    cutAt(from, 'a line of an earlier owner')
  }

  function cutAt(offset: number, what: string): void {
    const extra = disk.fstatSync(fd).size - offset
    if (extra > 0) {
      saveTorn(offset)
      disk.ftruncateSync(fd, offset)
      onRepair?.(`cut off ${what} (${extra} bytes, saved in ${journalName}.torn)`)
    }
    end = offset
  }

  function saveTorn(from: number): void {
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
      // The next open finds a torn line and cuts it off.
    }
  }

  /** After one failure, every call fails: a second sync may report success for data that is lost. */
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

/** Returns whether the kernel syncs after this event. Everything before it, content included, is then on disk. */
const isSynced = ({ type }: LoopEvent): boolean =>
  type === 'attempt-started' || type === 'run-ended' || type === 'run-interrupted'

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
