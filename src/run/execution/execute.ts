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
import type { Machine } from '../machine.ts'
import type { Finish, Mode } from '../mode.ts'
import { currentPerson } from '../new-run.ts'
import type { Notice } from '../notify/notices.ts'
import { openNotifier } from '../notify/notifier.ts'
import type { OpenRun } from '../open-run.ts'
import type { Run } from '../run.ts'
import { openPreloadedContent } from '../words.ts'
import { bestEffort, bestEffortInbox } from './best-effort.ts'
import { afterEvent, afterProgress, notifyInTurn, runQuietly, type WatchedState, watchedAt } from './listeners.ts'
import { openTools } from './tools.ts'

export type ExecuteOptions = {
  readonly machine: Machine
  /** `soft` finishes what runs, `hard` ends it, `now` kills it at once. The reason of each is the name of a signal. */
  readonly stop: { readonly soft: AbortSignal; readonly hard: AbortSignal; readonly now: AbortSignal }
  readonly attended: boolean
  /** A wait longer than this leaves the run waiting. Infinity if not given. */
  readonly holdMs?: number
  /** Goes on with a run that has ended, with these bounds given anew. */
  readonly reopen?: { readonly caps: Caps } | undefined
  /** Of whoever holds the run already. It is for them to release it. */
  readonly held?: HeldRun | undefined
  readonly takeOver?: boolean | undefined
  /** The run was told to end, and does nothing more: no key is needed for that. */
  readonly endsOnly?: boolean
  /** Sealed words may not go into a file in the clear: false for a detached process. */
  readonly mayShowWords: boolean
  readonly surface: Surface
}

/** What a terminal, a page's server and a library are told. All values; none of them is the mode's. */
export type Surface = {
  event?(event: LoopEvent, view: View<unknown>, lines: readonly Line[]): void
  /** Everything up to here is safe, and may be shown as done. */
  saved?(seq: number): void
  /** Something goes on inside an attempt. */
  progress?(progress: Progress): void
  /** Called once, before the loop begins: what goes on at a moment, undefined before the first event and after the last. */
  live?(at: (now: number) => Live | undefined): void
  /** Something a person should know, such as a torn line that was cut off. */
  notice(text: string): void
  /** For whoever sits in front of the run; people elsewhere are told by the run itself. */
  ring?(notice: Notice): void
}

export type Executed = {
  readonly exit: ExitCode
  readonly status: Left<unknown>['status']
  readonly state: LoopState
  /** Of a run that could not be saved. */
  readonly error?: unknown
  /** What `result.json` says. */
  readonly result: Readonly<Record<string, unknown>>
  readonly finish?: Finish | undefined
}

/** The only composition there is: terminal, page, worker and library all come here, with another store and another surface. */
export const executeRun = (open: OpenRun, options: ExecuteOptions): Promise<Executed> =>
  open.use((mode, run) => execute(mode, run, options))

async function execute<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  options: ExecuteOptions,
): Promise<Executed> {
  const { stored } = run
  const proof = mode.sealedBy(run.original.request)
  // What another key would seal now, nobody could read together with the rest.
  if (proof && !options.endsOnly) await run.content.get(proof)
  const inputs = await mode.load(run)
  const onRepair = (what: string): void => options.surface.notice(`journal: ${what}`)
  const held = options.held ?? (await stored.hold({ takeOver: options.takeOver ?? false, onRepair }))
  try {
    return await loop(mode, run, inputs, held, options)
  } finally {
    if (!options.held) await held.release()
  }
}

async function loop<Request, Inputs, Memo, Facts>(
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
    surface.notice(`${(error as Error).message}. The loop goes on; resume is not available.`)
  })
  const tools = await openTools(mode, run, held, { ...options, ...(!strict && { onLost }), onProgress: hear })
  const { work, projection } = await mode.compose(run, inputs, tools)
  const words = openPreloadedContent(run.content, options.mayShowWords)
  const { id, name } = run.entry
  const about: About<Request, Inputs> = { id, name, request: current.request, inputs, words: words.get }
  // Ending a run runs nothing of it: nobody may have trusted its commands.
  const notifier = options.endsOnly
    ? undefined
    : openNotifier(mode, run, held, tools.secrets, { machine, stop: stop.now, surface })
  const tell = notifyInTurn()
  let seen: WatchedState<Memo> | undefined
  surface.live?.((now) => {
    if (!seen || seen.view.state.ended) return undefined
    return mode.show.live(watchedAt(seen, machine.clock.elapsed(), now), about)
  })
  const repository = await machine.git.openRepository(tools.workspace).look()
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
    reopen: reopen && reopening(reopen.caps, original.envelope.caps),
    attended: options.attended,
    holdMs: options.holdMs ?? Number.POSITIVE_INFINITY,
    onEvent: (event, view, before) => {
      const after = withGiven(event, view, reopen?.caps)
      runQuietly(() => projection?.onEvent?.(event, view))
      notifier?.saw(event, before.state, view.state)
      seen = afterEvent(seen, event, after, machine.clock.elapsed())
      const refs = mode.show.wants(event, after, current.request)
      tell(refs.length > 0 && (() => words.load(refs)), () => {
        surface.event?.(event, after, mode.show.lines({ event, before, after }, about))
      })
    },
    onSaved: (seq, view) => {
      notifier?.saved()
      tell(false, () => surface.saved?.(seq))
      runQuietly(() => projection?.onSaved(view))
      void keepCard(view, false)
    },
  })
  return leave()

  function hear(progress: Progress): void {
    if (seen) seen = afterProgress(seen, progress, machine.clock.elapsed())
    surface.progress?.(progress)
  }

  /** A card is only a shortcut for lists. One of a run that goes on without its journal would be ahead of it. */
  async function keepCard(view: View<Memo>, isLeft: boolean): Promise<void> {
    if (isLost) return
    try {
      await stored.keep('card', buildCard(mode.show, view, about, { at: machine.clock.now(), left: isLeft }))
    } catch {}
  }

  async function leave(): Promise<Executed> {
    // A journal that cannot be read was not left unsaved: nothing was done.
    if (left.status === 'unsaved' && left.error instanceof UnexpectedDataError) throw left.error
    // Somebody who was taken over has nothing more to say about the run.
    const isStale = left.status === 'unsaved' && left.error instanceof StaleWriterError
    const { status, view } = left
    if (status !== 'unsaved') {
      notifier?.saved()
      tell(false, () => surface.saved?.(view.state.seq))
    }
    await tell.done()
    const hasAgents = mode.commands(current.request).agents.length > 0
    const sandbox = hasAgents ? await tools.shell.confinement().catch(() => null) : null
    const buildResult = (exit: ExitCode) => mode.result(run, inputs, left, { exit, sandbox })
    const usual = chooseExit(mode.reasons, left, readSignal(stop))
    if (!isStale) {
      await stored.keep('result', buildResult(usual))
      if (status !== 'unsaved') await keepCard(view, status === 'interrupted')
      await projection?.onLeft(left)
    }
    await notifier?.close()
    const finish = status === 'ended' && !options.endsOnly ? await finished() : undefined
    const exit = finish?.exit ?? usual
    const result = buildResult(exit)
    if (exit !== usual) await stored.keep('result', result)
    return { exit, status, state: view.state, result, finish, ...(status === 'unsaved' && { error: left.error }) }
  }

  /** The run has ended, whatever becomes of handing its work over. */
  async function finished(): Promise<Finish | undefined> {
    try {
      return await mode.finish?.(run, left, machine)
    } catch (error) {
      const { exit, message, hint } = toPawlError(error)
      return { exit, says: [[message], ...(hint ? [[hint]] : [])] }
    }
  }
}

/** Every event that the loop loads passes the mode's schemas, so that rules never meet data that they do not know. */
const checkedJournal = <Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  stored: StoredRun,
  journal: Journal,
): Journal => ({
  ...journal,
  load: async (key) => {
    const { snapshot, events } = await journal.load(key)
    return { snapshot, events: checked(events) }
    async function* checked(all: AsyncIterable<LoopEvent>): AsyncGenerator<LoopEvent> {
      for await (const event of all) {
        await checkData(mode, stored, [event])
        yield event
      }
    }
  },
})

/** A change of the request that the mode cannot read is passed over, as other notes are that did not come by the front door. */
const checkedInbox = <Request, Inputs, Memo, Facts>(
  { data }: Mode<Request, Inputs, Memo, Facts>,
  inbox: Inbox,
): Inbox => ({
  ...inbox,
  take: async (after) =>
    (await inbox.take(after)).filter((note) => note.say !== 'amend' || data.terms.safeParse(note.terms).success),
})

/** How an ended run goes on: reopened; a completed one only with new bounds. `started` are the bounds of its start. */
const reopening =
  (given: Caps, started: Caps) =>
  (state: LoopState): { by: string; caps: Caps } | undefined =>
    state.ended?.ending === 'completed' && Object.keys(given).length === 0
      ? undefined
      : { by: currentPerson(), caps: { ...reopenedCaps(state, started), ...given } }

/** Bounds given on going on become known to the run a moment later; a person has just typed them. */
const withGiven = <Memo>(event: LoopEvent, view: View<Memo>, caps: Caps | undefined): View<Memo> =>
  event.type === 'run-resumed' && caps
    ? { ...view, state: { ...view.state, caps: { ...view.state.caps, ...caps } } }
    : view

/** The name of the signal that a stop came from. */
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
