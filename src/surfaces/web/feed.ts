import type { LoopEvent } from '../../contract/event.ts'
import type { Line } from '../../contract/show.ts'
import type { LogLine, StreamFrame } from '../../contract/web.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Program } from '../../run/mode.ts'
import { readLastSeq, showEvents } from '../../run/reports/output.ts'
import { hidePeople } from './people.ts'

/** A frame of a stream, encoded once for all clients. */
export type Frame = { readonly seq: number; readonly text: string }

/** The events of one run, read once and kept for all pages that look at it. */
export type Feed = {
  readonly lines: readonly LogLine[]
  readonly frames: readonly Frame[]
  readonly firstError: number | null
  /** Resolves once everything is read that was stored when the feed was opened. */
  readonly ready: Promise<void>
  subscribe(listener: (frame: Frame) => void): () => void
  /** Whether somebody listens. */
  isWatched(): boolean
  /** Resolves once this event is read, or after a second. */
  reach(seq: number): Promise<void>
  close(): void
}

/** Most frames of a long run are never sent, so a frame is encoded when its first client needs it. */
function newFrame(data: StreamFrame): Frame {
  const { seq } = data
  let text: string | undefined
  return {
    seq,
    get text() {
      text ??= `id: ${seq}\nevent: lines\ndata: ${JSON.stringify(data)}\n\n`
      return text
    },
  }
}

const mostWaitMs = 1000

async function openFeed(program: Program, stored: StoredRun): Promise<Feed> {
  const stop = new AbortController()
  const [lines, frames]: [LogLine[], Frame[]] = [[], []]
  const listeners = new Set<(frame: Frame) => void>()
  const people = new Set<string>()
  const ready = Promise.withResolvers<void>()
  const lastSeq = await readLastSeq(stored)
  let firstError: number | null = null
  if (lastSeq === 0) ready.resolve()
  void read()
  return {
    lines,
    frames,
    get firstError() {
      return firstError
    },
    ready: ready.promise,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isWatched: () => listeners.size > 0,
    reach: (seq) => reach(seq),
    close: () => stop.abort(),
  }

  function reach(seq: number): Promise<void> {
    if ((frames.at(-1)?.seq ?? 0) >= seq) return Promise.resolve()
    return new Promise((resolve) => {
      const finish = (): void => {
        clearTimeout(timer)
        listeners.delete(listener)
        resolve()
      }
      const timer = setTimeout(finish, mostWaitMs)
      const listener = (frame: Frame): void => {
        if (frame.seq >= seq) finish()
      }
      listeners.add(listener)
    })
  }

  async function read(): Promise<void> {
    try {
      for await (const { event, lines: said } of showEvents(program, stored, stop.signal)) {
        add(event, said)
        if (event.seq >= lastSeq) ready.resolve()
      }
    } catch (error) {
      ready.reject(error)
    }
    ready.resolve()
  }

  function add(event: LoopEvent, said: readonly Line[]): void {
    const { seq, at, type } = event
    const isError = isFailure(event)
    if (event.type === 'note-received' && event.note.by !== program.machine.environment.program)
      people.add(event.note.by)
    const fresh = said.map(
      (line, index): LogLine => ({ n: lines.length + index + 1, seq, at, line: hidePeople(line, people), isError }),
    )
    if (isError && firstError === null && fresh[0]) firstError = fresh[0].n
    lines.push(...fresh)
    const frame = newFrame({ seq, at, type, lines: fresh })
    frames.push(frame)
    for (const listener of listeners) listener(frame)
  }
}

function isFailure(event: LoopEvent): boolean {
  if (event.type === 'verdict-reached') return event.verdict.status === 'failed'
  if (event.type === 'attempt-ended') return event.outcome.status === 'failed' || event.outcome.status === 'timed-out'
  return event.type === 'run-ended' && event.ending === 'failed'
}

const mostFeeds = 8

/** `asked`: how many callers are about to get it. */
type OpenFeed = { readonly feed: Promise<Feed>; asked: number }

/** Keeps the feeds of the runs that were looked at last. */
export function createFeeds(program: Program) {
  const open = new Map<string, OpenFeed>()

  /** A feed that somebody listens to, or is about to, stays, however long ago it was opened. */
  async function dropOldest(): Promise<void> {
    for (const [id, known] of open) {
      if (open.size <= mostFeeds) return
      const found = await known.feed.catch(() => undefined)
      if (known.asked > 0 || found?.isWatched() || open.get(id) !== known) continue
      open.delete(id)
      found?.close()
    }
  }

  return {
    async get(stored: StoredRun): Promise<Feed> {
      const { id } = stored.entry
      const known = open.get(id) ?? { feed: openFeed(program, stored), asked: 0 }
      // The newest is the last.
      open.delete(id)
      open.set(id, known)
      known.asked += 1
      try {
        const found = await known.feed
        await found.ready
        return found
      } catch (error) {
        // The next look tries again.
        open.delete(id)
        throw error
      } finally {
        // The caller begins to listen in this turn.
        setImmediate(() => {
          known.asked -= 1
          void dropOldest()
        })
      }
    },
    async close(): Promise<void> {
      for (const { feed } of open.values()) (await feed.catch(() => undefined))?.close()
      open.clear()
    },
  }
}
export type Feeds = ReturnType<typeof createFeeds>
