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
  /** Everything seen so far is on disk: starts sending its notices. Does not wait. */
  saved(): void
  /** Waits for notices that are being sent; each has a timeout. */
  close(): Promise<void>
}

export type NotifierOptions = {
  readonly machine: Pick<Machine, 'environment' | 'openShell'>
  /** Aborts sending immediately. */
  readonly stop: AbortSignal
  readonly surface: {
    /** Notifies the person at the terminal. */
    ring?(notice: Notice): void
    /** Reports, in one line, a notice that could not be sent. */
    notice(text: string): void
  }
  readonly boundMs?: number
}

/** Opens the notifier of a run. It uses the mode's wording. */
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
  /** `folder` is read only when a notice is sent: a run in memory creates it then. */
  readonly held: Pick<HeldRun, 'folder'>
  /** Called when the first notice is sent. */
  shell(): Promise<Shell>
}

/**
 * Sends the notices of a run. The slot `notified` stores the last event whose notices were sent, so none is sent again. A
 * notice that was pending when the process died is sent when the run resumes.
 */
export function createNotifier(run: Notified, sending: Sending, options: NotifierOptions): Notifier {
  const { envelope, stored, held } = sending
  const { stop, surface, boundMs = 10_000 } = options
  const { env } = options.machine.environment
  const sendsNotices = envelope.notify !== undefined
  const pending: Notice[] = []
  let first: number | undefined
  let isFirst = true
  let safe = 0
  let seen = 0
  let sent: Promise<void> = Promise.resolve()

  function saw(event: LoopEvent, before: LoopState, after: LoopState): void {
    // The first event of a process is the start or the resume: it causes no notice of its own.
    if (isFirst) first = event.seq
    else pending.push(...findNotices(event, before, after, run))
    isFirst = false
    seen = event.seq
  }

  function saved(): void {
    const notices = pending.splice(0)
    for (const notice of notices) surface.ring?.(notice)
    // A run that had already ended leaves without a new event, but its last notice may still be unsent.
    const from = first ?? (isFirst ? Number.POSITIVE_INFINITY : undefined)
    first = undefined
    safe = seen
    if (!sendsNotices) return
    const missed = from === undefined ? [] : [missedBefore(from).then((late) => late.map(send))]
    const all = [...missed, ...(notices.length > 0 ? [Promise.resolve(notices.map(send))] : [])]
    sent = all.reduce((before, batch) => before.then(async () => finish(await batch)), sent)
  }

  type Sent = { readonly notice: Notice; readonly problems: Promise<readonly string[]> }

  /** Starts sending; notices are sent in parallel. */
  const send = (notice: Notice): Sent => ({ notice, problems: deliver(notice) })

  async function deliver(notice: Notice): Promise<readonly string[]> {
    const address = stored.entry.address
    const shell = await sending.shell()
    return sendNotice(notice, { request: envelope, address, folder: held.folder, env, shell, boundMs }, stop)
  }

  /** Marks notices as sent, in order. An aborted one stays pending. */
  async function finish(batch: readonly Sent[]): Promise<void> {
    for (const { notice, problems } of batch) {
      const all = await problems
      if (stop.aborted) return
      for (const problem of all) surface.notice(problem)
      await stored.keep('notified', notice.seq)
    }
  }

  /** Returns notices that an earlier process did not send. Reads the journal only if there are any. */
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
      // A damaged journal is reported when the run is opened.
    }
    return notices
  }

  async function close(): Promise<void> {
    await sent
    if (sendsNotices && safe > 0 && !stop.aborted) await stored.keep('notified', safe)
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
