import type { Envelope } from '../../contract/envelope.ts'
import type { LoopEvent } from '../../contract/event.ts'
import { emptyState, type LoopState, reduce } from '../../kernel/state.ts'
import type { HeldRun, StoredRun } from '../../ports/run-store.ts'
import type { Shell } from '../../ports/shell.ts'
import { formatReason } from '../../show/reasons.ts'
import type { Machine } from '../machine.ts'
import type { Mode } from '../mode.ts'
import { type Run, readRunMark } from '../run.ts'
import { findNotices, type Notice, type Notified } from './notices.ts'
import { sendNotice } from './send.ts'

export type Notifier = {
  saw(event: LoopEvent, before: LoopState, after: LoopState): void
  /** Everything seen so far is on disk, so that it may be told. Does not wait for anyone. */
  saved(): void
  /** Waits for what is under way; all of it is bounded. */
  close(): Promise<void>
}

export type NotifierOptions = {
  readonly machine: Pick<Machine, 'environment' | 'openShell'>
  /** Ends whatever is being told, at once. */
  readonly stop: AbortSignal
  readonly surface: {
    /** For whoever sits in front of the run. */
    ring?(notice: Notice): void
    /** One line about a notice that did not arrive. */
    notice(text: string): void
  }
  readonly boundMs?: number
}

/** The notifier of a run, in the words of its mode. */
export function openNotifier<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  { entry, stored, original, current: { envelope } }: Run<Request>,
  held: Pick<HeldRun, 'folder'>,
  secrets: readonly string[],
  options: NotifierOptions,
): Notifier {
  const { setting, unit } = mode.show
  const { program } = options.machine.environment
  const format: Notified['format'] = (reason) => formatReason(mode.reasons, reason, setting)
  const shell = once(() =>
    options.machine.openShell({
      workspace: envelope.workspace,
      folder: held.folder,
      sandbox: envelope.sandbox === 'off' ? 'off' : 'auto',
      unconfined: true,
      impatient: true,
      secrets,
      kill: options.stop,
      agents: [],
      mark: readRunMark({ original }),
    }),
  )
  const run = { id: entry.id, name: entry.name, program, setting, unit, format }
  return createNotifier(run, { envelope, stored, held, shell }, options)
}

export type Sending = {
  readonly envelope: Pick<Envelope, 'run_id' | 'name' | 'workspace' | 'env' | 'notify'>
  readonly stored: Pick<StoredRun, 'entry' | 'read' | 'kept' | 'keep'>
  /** Its folder is asked for with the first notice that is sent: a run in memory makes it then. */
  readonly held: Pick<HeldRun, 'folder'>
  /** Opened with the first notice that is sent. */
  shell(): Promise<Shell>
}

/**
 * Tells people elsewhere what becomes of a run. A notice that was told is never told again; one that was open when the
 * process died is told when the run goes on: the slot `notified` says up to which event all is told.
 */
export function createNotifier(run: Notified, sending: Sending, options: NotifierOptions): Notifier {
  const { envelope, stored, held } = sending
  const { stop, surface, boundMs = 10_000 } = options
  const { env } = options.machine.environment
  const away = envelope.notify !== undefined
  const pending: Notice[] = []
  let first: number | undefined
  let isFirst = true
  let safe = 0
  let seen = 0
  let told: Promise<void> = Promise.resolve()

  function saw(event: LoopEvent, before: LoopState, after: LoopState): void {
    // What the first event brings about is the start itself, or was there before.
    if (isFirst) first = event.seq
    else pending.push(...findNotices(event, before, after, run))
    isFirst = false
    seen = event.seq
  }

  function saved(): void {
    const notices = pending.splice(0)
    for (const notice of notices) surface.ring?.(notice)
    // A run that has ended may leave without a new event, and yet its end may not have been told.
    const from = first ?? (isFirst ? Number.POSITIVE_INFINITY : undefined)
    first = undefined
    safe = seen
    if (!away) return
    const missed = from === undefined ? [] : [missedBefore(from).then((late) => late.map(send))]
    const all = [...missed, ...(notices.length > 0 ? [Promise.resolve(notices.map(send))] : [])]
    told = all.reduce((before, batch) => before.then(async () => finish(await batch)), told)
  }

  type Sent = { readonly notice: Notice; readonly problems: Promise<readonly string[]> }

  /** All at once. */
  const send = (notice: Notice): Sent => ({ notice, problems: deliver(notice) })

  async function deliver(notice: Notice): Promise<readonly string[]> {
    const address = stored.entry.address
    const shell = await sending.shell()
    return sendNotice(notice, { request: envelope, address, folder: held.folder, env, shell, boundMs }, stop)
  }

  /** Marked as told in their order. What was cut short counts as open. */
  async function finish(batch: readonly Sent[]): Promise<void> {
    for (const { notice, problems } of batch) {
      const all = await problems
      if (stop.aborted) return
      for (const problem of all) surface.notice(problem)
      await stored.keep('notified', notice.seq)
    }
  }

  /** What a process before this one did not come to tell. The journal is read only where one was cut short. */
  async function missedBefore(seq: number): Promise<Notice[]> {
    const done = Number(await stored.kept('notified')) || 0
    const notices: Notice[] = []
    if (done >= seq - 1) return notices
    try {
      let state = emptyState
      const { events } = await stored.read()
      for await (const page of events) {
        for (const event of page) {
          const before = state
          state = reduce(before, event)
          if (event.seq > done && event.seq < seq) notices.push(...findNotices(event, before, state, run))
        }
      }
    } catch {
      // Whoever opens the journal says what is wrong with it.
    }
    return notices
  }

  async function close(): Promise<void> {
    await told
    if (away && safe > 0 && !stop.aborted) await stored.keep('notified', safe)
  }

  return { saw, saved, close }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
