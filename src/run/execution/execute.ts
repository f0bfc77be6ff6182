import type { LoopEvent } from '../../contract/event.ts'
import type { ExitCode } from '../../contract/exit.ts'
import type { Progress } from '../../contract/progress.ts'
import type { Line, Live } from '../../contract/show.ts'
import type { Caps } from '../../contract/values.ts'
import type { Left, View } from '../../kernel/policy.ts'
import { runLoop } from '../../kernel/run.ts'
import type { LoopState } from '../../kernel/state.ts'
import type { Inbox } from '../../ports/inbox.ts'
import { type Journal, StaleWriterError } from '../../ports/journal.ts'
import type { HeldRun, StoredRun } from '../../ports/run-store.ts'
import type { About } from '../../show/show.ts'
import { reopenedCaps } from '../../show/spend.ts'
import { buildCard } from '../card.ts'
import { chooseExit, toPawlError } from '../errors.ts'
import { checkData, UnexpectedDataError } from '../event-data.ts'
import type { Machine, RunTools } from '../machine.ts'
import type { Finish, Mode } from '../mode.ts'
import { currentPerson } from '../new-run.ts'
import type { Notice } from '../notify/notices.ts'
import { openNotifier } from '../notify/notifier.ts'
import type { OpenRun } from '../open-run.ts'
import type { Run } from '../run.ts'
import { preloadContent } from '../words.ts'
import { bestEffort, bestEffortInbox } from './best-effort.ts'
import {
  afterEvent,
  afterProgress,
  createPauseTimer,
  notifyInTurn,
  runQuietly,
  stopWhenLost,
  type WatchedState,
  watchedAt,
} from './listeners.ts'
import { openTools } from './tools.ts'

export type ExecuteOptions = {
  readonly machine: Machine
  /** `soft` finishes the current step, `hard` ends it, `now` kills it at once. The abort reason is the name of the signal. */
  readonly stop: { readonly soft: AbortSignal; readonly hard: AbortSignal; readonly now: AbortSignal }
  readonly attended: boolean
  /** If a wait would be longer than this, the loop returns with status `waiting`. Default: Infinity. */
  readonly holdMs?: number
  /** Reopens a run that has ended, with these new caps. */
  readonly reopen?: { readonly caps: Caps } | undefined
  /** Set if the caller already holds the run. The caller then releases it. */
  readonly held?: HeldRun | undefined
  readonly takeOver?: boolean | undefined
  readonly job?: RunTools['job']
  /** Only records the end of a cancelled run: starts no work and needs no key. */
  readonly endsOnly?: boolean
  /** Whether decrypted text may be shown. False for a detached process, whose output goes to a plain file. */
  readonly mayShowWords: boolean
  readonly surface: Surface
}

/** The listener for a run: a terminal, a server or the library. Its values are independent of the mode. */
export type Surface = {
  event?(event: LoopEvent, view: View<unknown>, lines: readonly Line[]): void
  /** Everything up to `seq` survives power loss and may be shown as done. */
  saved?(seq: number): void
  /** Live progress inside an attempt. */
  progress?(progress: Progress): void
  /** Called once before the loop starts. `at` returns the live state, or undefined before the first event and after the last. */
  live?(at: (now: number) => Live | undefined): void
  /** A message for the user, for example that a torn journal line was cut off. */
  notice(text: string): void
  /** A notification for the person at the terminal. The run itself sends it to `notify` and `notify_webhook`. */
  ring?(notice: Notice): void
}

export type Executed = {
  readonly exit: ExitCode
  readonly status: Left<unknown>['status']
  readonly state: LoopState
  /** Set if the run could not be saved. */
  readonly error?: unknown
  /** The run was deleted or moved away while it was executed. */
  readonly isGone?: boolean
  /** Set if a best-effort run went on after it lost its journal: it cannot be resumed. */
  readonly isLost?: true
  /** The content of `result.json`. */
  readonly result: Readonly<Record<string, unknown>>
  readonly finish?: Finish | undefined
}

/** Executes a run. The only way to do so: terminal and library call it with their own store and surface. */
export const executeRun = (open: OpenRun, options: ExecuteOptions): Promise<Executed> =>
  open.use((mode, run) => execute(mode, run, options))

async function execute<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  options: ExecuteOptions,
): Promise<Executed> {
  const { stored } = run
  const proof = mode.sealedBy(run.original.request)
  // Fails if the user's key is not the run's key. Otherwise one run would hold content under two keys.
  if (proof && !options.endsOnly) await run.content.get(proof)
  const inputs = await mode.load(run)
  const onRepair = (what: string): void => options.surface.notice(`journal: ${what}`)
  const held = options.held ?? (await stored.hold({ takeOver: options.takeOver ?? false, onRepair }))
  const { stop, close } = stopWhenLost(options.stop, held.lost)
  try {
    return await runAndLeave(mode, run, inputs, held, { ...options, stop })
  } finally {
    close()
    if (!options.held) await held.release()
  }
}

async function runAndLeave<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  inputs: Inputs,
  held: HeldRun,
  options: ExecuteOptions,
): Promise<Executed> {
  const { machine, stop, surface, reopen } = options
  const { stored, original, current } = run
  const strict = current.envelope.durability === 'strict'
  let isLost = false
  const onLost = once((error: unknown) => {
    isLost = true
    held.markBroken()
    surface.notice(`${(error as Error).message}. The loop continues without a record; resume is not available.`)
  })
  const tools = await openTools(mode, run, held, { ...options, ...(!strict && { onLost }), onProgress })
  const { work, projection } = await mode.compose(run, inputs, tools)
  const words = preloadContent(run.content, options.mayShowWords)
  const { id, name } = run.entry
  const about: About<Request, Inputs> = { id, name, request: current.request, inputs, words: words.get }
  // Ending a run executes none of its commands: they may not be trusted.
  const notifier = options.endsOnly
    ? undefined
    : openNotifier(mode, run, held, tools.secrets, { machine, stop: stop.now, surface })
  const notify = notifyInTurn()
  const { program } = machine.environment
  const pause = createPauseTimer(mode.pauseMs?.(current.request), () => stored.post({ by: program, say: 'unpause' }))
  let seen: WatchedState<Memo> | undefined
  surface.live?.((now) => {
    if (!seen || seen.view.state.ended) return undefined
    return mode.show.live(watchedAt(seen, machine.clock.elapsed(), now), about)
  })
  const repository = tools.workspace === '' ? undefined : await machine.git.openRepository(tools.workspace).look()
  const journal = checkedJournal(mode, stored, held.journal)
  const inbox = checkedInbox(mode, held.inbox)
  const left = await runLoop<Memo>({
    run: id,
    policy: mode.policy(original, inputs),
    work,
    journal: strict ? journal : bestEffort(journal, onLost),
    inbox: strict ? inbox : bestEffortInbox(inbox, onLost),
    clock: machine.clock,
    stop,
    start: {
      pins: {
        request: original.sha256,
        ...(repository && { head: repository.head ?? '', dirty: String(repository.dirty) }),
      },
      origins: { ...original.envelope.origins },
    },
    reopen: reopen && decideReopening(reopen.caps, original.envelope.caps),
    attended: options.attended,
    holdMs: options.holdMs ?? Number.POSITIVE_INFINITY,
    onEvent: (event, view, before) => {
      const after = withNewCaps(event, view, reopen?.caps)
      runQuietly(() => projection?.onEvent?.(event, view))
      notifier?.saw(event, before.state, view.state)
      pause.see(view.state)
      seen = afterEvent(seen, event, after, machine.clock.elapsed())
      const refs = mode.show.wants(event, after, current.request)
      notify(refs.length > 0 && (() => words.load(refs)), () => {
        surface.event?.(event, after, mode.show.lines({ event, before, after }, about))
      })
    },
    onSaved: (seq, view) => {
      notifier?.saved()
      notify(false, () => surface.saved?.(seq))
      runQuietly(() => projection?.onSaved(view))
      void saveCard(view, false)
    },
  })
  pause.stop()
  return leave()

  function onProgress(progress: Progress): void {
    if (seen) seen = afterProgress(seen, progress, machine.clock.elapsed())
    surface.progress?.(progress)
  }

  /** Skipped for a run that lost its journal: the card would be ahead of it. */
  async function saveCard(view: View<Memo>, isLeft: boolean): Promise<void> {
    if (isLost) return
    try {
      await stored.keep('card', buildCard(mode, view, about, { at: machine.clock.now(), left: isLeft }))
    } catch {}
  }

  async function leave(): Promise<Executed> {
    // The journal could not be read, so nothing was done and nothing is unsaved.
    if (left.status === 'unsaved' && left.error instanceof UnexpectedDataError) throw left.error
    // After a takeover, only the new owner writes results.
    const isStale = left.status === 'unsaved' && left.error instanceof StaleWriterError
    const { status, view } = left
    if (status !== 'unsaved') {
      notifier?.saved()
      notify(false, () => surface.saved?.(view.state.seq))
    }
    await notify.done()
    const hasAgents = mode.commands(current.request).agents.length > 0
    const sandbox = hasAgents ? await tools.shell.confinement().catch(() => null) : null
    const buildResult = (exit: ExitCode) => mode.result(run, inputs, left, { exit, sandbox })
    const defaultExit = chooseExit(mode.reasons, left, readSignal(stop))
    if (!isStale) {
      await stored.keep('result', buildResult(defaultExit))
      if (status !== 'unsaved') await saveCard(view, status === 'interrupted')
      await projection?.onLeft(left)
    }
    await notifier?.close()
    const finish = status === 'ended' && !options.endsOnly ? await finishRun() : undefined
    const exit = finish?.exit ?? defaultExit
    const result = buildResult(exit)
    if (exit !== defaultExit) await stored.keep('result', result)
    const done = { exit, status, state: view.state, result, finish, ...(isLost && { isLost: true as const }) }
    if (status !== 'unsaved') return done
    const isGone = (await machine.store.open(run.entry.address)) === undefined
    return { ...done, error: left.error, isGone }
  }

  /** Never throws: the run has ended even if its result cannot be delivered. */
  async function finishRun(): Promise<Finish | undefined> {
    try {
      return await mode.finish?.(run, left, machine)
    } catch (error) {
      const known = toPawlError(error)
      const { exit, message } = known
      const hint = known.hintFor(machine.environment)
      return { exit, says: [[message], ...(hint ? [[hint]] : [])] }
    }
  }
}

/** Checks every loaded event with the mode's schemas, so that rules never see unexpected data. */
const checkedJournal = <Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  stored: StoredRun,
  journal: Journal,
): Journal => ({
  ...journal,
  load: async (key) => {
    const loaded = await journal.load(key)
    return { ...loaded, events: checked(loaded.events) }
    async function* checked(all: AsyncIterable<LoopEvent>): AsyncGenerator<LoopEvent> {
      for await (const event of all) {
        await checkData(mode, stored, [event])
        yield event
      }
    }
  },
})

/** Ignores `amend` notes that the mode cannot parse. */
const checkedInbox = <Request, Inputs, Memo, Facts>(
  { data }: Mode<Request, Inputs, Memo, Facts>,
  inbox: Inbox,
): Inbox => ({
  ...inbox,
  take: async (after) =>
    (await inbox.take(after)).filter((note) => note.say !== 'amend' || data.terms.safeParse(note.terms).success),
})

/** Returns how to reopen an ended run. A completed run is reopened only with new caps. `started`: the caps of its start. */
const decideReopening =
  (given: Caps, started: Caps) =>
  (state: LoopState): { by: string; caps: Caps } | undefined =>
    state.ended?.ending === 'completed' && Object.keys(given).length === 0
      ? undefined
      : { by: currentPerson(), caps: { ...reopenedCaps(state, started), ...given } }

/** Shows new caps with `run-resumed` already; the note with them comes after it. */
const withNewCaps = <Memo>(event: LoopEvent, view: View<Memo>, caps: Caps | undefined): View<Memo> =>
  event.type === 'run-resumed' && caps
    ? { ...view, state: { ...view.state, caps: { ...view.state.caps, ...caps } } }
    : view

/** Returns the name of the signal that stopped the run. */
function readSignal(stop: ExecuteOptions['stop']): string | undefined {
  const stopped = [stop.hard, stop.soft].find(({ aborted }) => aborted)
  return stopped && String(stopped.reason)
}

function once<T>(call: (value: T) => void): (value: T) => void {
  let called = false
  return (value) => {
    if (!called) call(value)
    called = true
  }
}
