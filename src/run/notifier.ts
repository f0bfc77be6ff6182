import { join } from 'node:path'
import { secretValues } from '../adapters/shell/output/env.ts'
import { createShell } from '../adapters/shell/shell.ts'
import { readPlain, realDisk, writeWhole } from '../adapters/stores/files/disk.ts'
import type { LoopEvent } from '../contract/event.ts'
import type { RunRequest } from '../contract/request.ts'
import { type LoopState, reduce } from '../kernel/state.ts'
import { modeOf } from './modes.ts'
import { type Notice, noticesOf } from './notify.ts'
import { sendNotice } from './notify-send.ts'
import type { Place } from './paths.ts'
import { readRun } from './read-run.ts'

export type Notifier = {
  saw(event: LoopEvent, state: LoopState): void
  /** Everything seen so far is on disk, so that it may be told. Does not wait for anyone. */
  saved(): void
  /** Waits for what is under way; all of it is bounded. */
  close(): Promise<void>
}

export type NotifierOptions = {
  readonly place: Place
  readonly request: RunRequest
  readonly dir: string
  /** Ends whatever is being told, at once. */
  readonly stop: AbortSignal
  /** For whoever sits in front of the run. */
  readonly onNotice: (notice: Notice) => void
  /** One line about a notice that did not arrive. */
  readonly warn: (text: string) => void
  /** Whoever goes on with the run finds what it left behind by this. */
  readonly runMark?: string | undefined
  readonly boundMs?: number
}

// Shorter than for agents: nobody waits for a messenger.
const ladder = { termMs: 200, killMs: 500 }

/**
 * Tells people elsewhere what becomes of a run. A notice that was told is never told again; one that was open when the
 * process died is told when the run goes on: `notified` in the run's folder says up to which event all is told.
 */
export function openNotifier(options: NotifierOptions): Notifier {
  const { place, request, dir, stop, onNotice, warn, runMark, boundMs = 10_000 } = options
  const run = { id: request.run_id, name: request.name, reasons: modeOf(request).reasons }
  const away = request.notify !== undefined
  const named = request.secrets.flatMap((name) => place.env[name] ?? [])
  const secrets = [...secretValues(place.env), ...named]
  const isolation = request.sandbox === 'off' ? 'off' : 'auto'
  const shell = createShell({ secrets, isolation, ladder, kill: stop, graceMs: 200, runMark })
  const pending: Notice[] = []
  let before: LoopState | undefined
  let first: number | undefined
  let safe = 0
  let told: Promise<void> = Promise.resolve()

  function saw(event: LoopEvent, state: LoopState): void {
    if (before) pending.push(...noticesOf(event, before, state, run))
    else first = event.seq
    before = state
  }

  function saved(): void {
    const notices = pending.splice(0)
    for (const notice of notices) onNotice(notice)
    // A run that has ended may leave without a new event, and yet its end may not have been told.
    const from = first ?? (before ? undefined : Number.POSITIVE_INFINITY)
    const missed = away && from !== undefined ? missedBefore(from) : []
    first = undefined
    safe = before?.seq ?? 0
    if (away) for (const notice of [...missed, ...notices]) send(notice)
  }

  /** All at once, but marked as told in their order. What was cut short counts as open. */
  function send(notice: Notice): void {
    const sent = sendNotice(notice, { request, dir, env: place.env, shell, boundMs }, stop)
    told = told.then(async () => {
      const problems = await sent
      if (stop.aborted) return
      for (const problem of problems) warn(problem)
      mark(dir, notice.seq)
    })
  }

  /** What a process before this one did not come to tell. The journal is read only where one was cut short. */
  function missedBefore(seq: number): Notice[] {
    const done = markOf(dir)
    const notices: Notice[] = []
    if (done >= seq - 1) return notices
    try {
      readRun(dir, (event, state) => {
        if (event.seq > done && event.seq < seq) notices.push(...noticesOf(event, state, reduce(state, event), run))
      })
    } catch {
      // Whoever opens the journal says what is wrong with it.
    }
    return notices
  }

  async function close(): Promise<void> {
    await told
    if (away && safe > 0 && !stop.aborted) mark(dir, safe)
  }

  return { saw, saved, close }
}

const markPath = (dir: string): string => join(dir, 'notified')

function markOf(dir: string): number {
  try {
    return Number.parseInt(readPlain(realDisk, markPath(dir), 100), 10) || 0
  } catch {
    return 0
  }
}

function mark(dir: string, seq: number): void {
  try {
    writeWhole(realDisk, markPath(dir), `${seq}\n`)
  } catch {
    // At worst something is told twice.
  }
}
