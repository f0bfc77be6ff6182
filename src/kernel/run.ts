import type { Call, Fact, LoopEvent, Outcome, Task, Verdict } from '../contract/event.ts'
import type { CapName, Caps } from '../contract/values.ts'
import { type Clock, sleepUntil } from '../ports/clock.ts'
import type { Inbox } from '../ports/inbox.ts'
import { type Journal, NotSavedError } from '../ports/journal.ts'
import type { Allowance, Left, Policy, View } from './policy.ts'
import type { LoopState } from './state.ts'
import { advance, emptyView, isLifted, nextStep, snapshotKey } from './step.ts'

/** The impure half of a mode. Contract: obeys an abort. An error counts as a failed attempt or a missing verdict. */
export type Work<Memo> = {
  readonly attempt: (attempt: Attempt, view: View<Memo>, signal: AbortSignal) => Promise<Outcome>
  readonly evaluate: (attempt: Attempt, view: View<Memo>, signal: AbortSignal) => Promise<Verdict>
  /** After a crash: ends processes that are still alive and returns the outcome if it can be proved. */
  readonly recover?: (attempt: Attempt, view: View<Memo>) => Promise<Outcome | undefined>
}

/** The input of `Work` for one attempt. */
export type Attempt = {
  readonly task: Task
  readonly attempt: number
  readonly via: string
  /** Idempotency key for effects outside the run: a crash between effect and record never repeats the effect. */
  readonly effectKey: string
  readonly left: () => Allowance
  /** Returns the recorded call with this key. A recorded call is never repeated. */
  readonly recorded: (key: string) => Call | undefined
  readonly record: (call: Call) => Promise<void>
}

export type LoopOptions<Memo> = {
  readonly run: string
  readonly policy: Policy<Memo>
  readonly work: Work<Memo>
  readonly journal: Journal
  readonly inbox: Inbox
  readonly clock: Clock
  /** Soft: finish the current step, then leave. Hard: abort the current step, then leave. */
  readonly stop: { readonly soft: AbortSignal; readonly hard: AbortSignal }
  /** Stored in the run's first event. */
  readonly start: Pick<Extract<Fact, { type: 'run-started' }>, 'pins' | 'origins'>
  /** Reopens a run that has ended. Recorded as an event that may raise caps and never lowers a counter. */
  readonly reopen?: ((state: LoopState) => { readonly by: string; readonly caps?: Caps } | undefined) | undefined
  /** A person can answer now; otherwise the run leaves as waiting when it has a question. */
  readonly attended: boolean
  /** On a longer wait the run leaves as waiting, so that it does not occupy the process. */
  readonly holdMs: number
  /** Called as soon as an event is appended. Errors of a listener are ignored: they never stop a run. */
  readonly onEvent?: (event: LoopEvent, view: View<Memo>, before: View<Memo>) => void
  /** Called when everything up to `seq` survives power loss. Surfaces show nothing as done before that. */
  readonly onSaved?: (seq: number, view: View<Memo>) => void
}

type Effect<T> = (signal: AbortSignal) => Promise<T>
type Timed<T> = { value?: T; error?: unknown; cut?: 'timed-out' | 'interrupted' | undefined }

const snapshotEvery = 100

/** The driver: computes the next step, performs it and records the result, until the run ends or leaves. */
export async function runLoop<M>(o: LoopOptions<M>): Promise<Left<M>> {
  const { policy, work, journal, inbox, clock, stop } = o
  const { name, version, caps } = policy
  let view = emptyView(policy)
  let [last, began, snapshotSeq] = [clock.elapsed(), 0, 0]
  let rang = true
  let wake = (): void => {}
  let queue: Promise<void> = Promise.resolve()
  const state = (): LoopState => view.state
  const unlisten = inbox.onRing(() => {
    rang = true
    wake()
  })

  try {
    await load()
    const terms = state().ended && o.reopen?.(state())
    if (state().seq === 0) await record({ type: 'run-started', journal: 2, policy: name, version, caps, ...o.start })
    else if (!state().ended) await record({ type: 'run-resumed' })
    else if (terms) await record({ type: 'run-reopened', ...terms })
    while (!state().ended) {
      const stopped = stop.hard.aborted ? stop.hard : stop.soft.aborted ? stop.soft : undefined
      if (stopped) {
        await record({ type: 'run-interrupted', by: String(stopped.reason) })
        await save(true)
        return { status: 'interrupted', view }
      }
      await admitNotes()
      const left = await doStep()
      if (left) return left
    }
    return { status: 'ended', view }
  } catch (error) {
    return { status: 'unsaved', error, view }
  } finally {
    unlisten()
  }

  async function doStep(): Promise<Left<M> | undefined> {
    const step = nextStep(view, policy)
    if (step.do === 'wait') return wait()
    if (step.do === 'ask') return ask()
    if (step.do === 'pick') await record({ type: 'task-picked', picked: step.task })
    if (step.do === 'decide') await record({ type: 'decision-made', decision: step.decision, by: step.by })
    if (step.do === 'recover') await record({ type: 'attempt-ended', outcome: await recover() })
    if (step.do === 'attempt') await attempt()
    if (step.do === 'evaluate') await evaluate()
    if (step.do === 'end') {
      await record({ type: 'run-ended', ending: step.stop.ending, reason: step.stop.reason })
      await save(true)
    }
  }

  async function attempt(): Promise<void> {
    await record({ type: 'attempt-started', via: state().via })
    await save()
    const { value, error, cut } = await timed((signal) => work.attempt(handle(), view, signal))
    const usable = value && (!cut || value.status === 'ok')
    const outcome = { ...value, status: usable ? value.status : (cut ?? 'failed') }
    const detail = brief(value?.detail ?? (usable ? undefined : (error ?? cut)))
    await record({ type: 'attempt-ended', outcome: { ...outcome, detail } })
  }

  async function evaluate(): Promise<void> {
    const { value, error, cut } = await timed((signal) => work.evaluate(handle(), view, signal))
    const usable = value && (cut !== 'interrupted' || value.status === 'passed')
    if (!usable && cut === 'interrupted') return
    const verdict: Verdict = usable ? value : { status: 'unavailable', detail: brief(error ?? cut) }
    await record({ type: 'verdict-reached', verdict: { ...verdict, detail: brief(verdict.detail) } })
  }

  async function recover(): Promise<Outcome> {
    const interrupted: Outcome = { status: 'interrupted', detail: 'the process ended during this attempt' }
    const lost = (error: unknown): Outcome => ({ ...interrupted, detail: brief(unlessNotSaved(error)) })
    return (await work.recover?.(handle(), view).catch(lost)) ?? interrupted
  }

  async function wait(): Promise<Left<M> | undefined> {
    const { until, ms, skipped } = state().wait!
    const left = skipped ? 0 : Math.max(0, Math.min(ms, until - clock.now()))
    if (left > 0) await save(left > o.holdMs)
    if (left > o.holdMs) return { status: 'waiting', until: clock.now() + left, view }
    const over = (): boolean => Boolean(state().cancelBy ?? state().pauseBy ?? state().wait?.skipped)
    const nap: Effect<void> = (signal) => sleepUntil(clock, until, left, signal)
    const slept = await during((signal) => nap(signal).then(() => true, unlessAborted(signal)), over, stop.soft)
    if (slept || state().wait?.skipped) await record({ type: 'wait-ended', skipped: !slept })
  }

  async function ask(): Promise<Left<M> | undefined> {
    await save(true)
    if (!o.attended) return { status: 'waiting', view }
    const answered = (): boolean => state().question === undefined
    await during((signal) => clock.sleep(Infinity, signal).catch(unlessAborted(signal)), answered, stop.soft)
  }

  /** Runs an effect with the time that is left. `cut` comes from the signal that fired, not from the effect's error. */
  async function timed<T>(effect: Effect<T>): Promise<Timed<T>> {
    const timer = new AbortController()
    const finished = new AbortController()
    const stopped = (): boolean => stop.hard.aborted || state().cancelBy !== undefined
    const cut = (): Timed<T>['cut'] => (timer.signal.aborted ? 'timed-out' : stopped() ? 'interrupted' : undefined)
    began = clock.elapsed()
    const { ms } = allowance()
    if (ms < Infinity) void clock.sleep(ms, finished.signal).then(() => timer.abort('timed-out'), no)
    try {
      return { value: await during(effect, stopped, timer.signal), cut: cut() }
    } catch (error) {
      return { error: unlessNotSaved(error), cut: cut() }
    } finally {
      finished.abort('over') // Without a reason, abort() builds a DOMException with a stack.
    }
  }

  /** Runs one effect and admits notes meanwhile. The effect is always over when this returns. */
  async function during<T>(effect: Effect<T>, over: () => boolean, ...ends: AbortSignal[]): Promise<T> {
    const own = new AbortController()
    const unlink = [stop.hard, ...ends].map((end) => link(end, own))
    const done = Promise.try(effect, own.signal).then((value) => ({ value }))
    done.catch(no)
    try {
      for (;;) {
        const { promise: rung, resolve } = Promise.withResolvers<undefined>()
        wake = () => resolve(undefined)
        const result = rang ? undefined : await Promise.race([done, rung])
        if (result) return result.value
        await admitNotes()
        if (over()) own.abort('note')
      }
    } finally {
      for (const undo of unlink) undo()
      own.abort('over')
      await done.catch(no)
    }
  }

  async function admitNotes(): Promise<void> {
    if (!rang) return
    rang = false
    for (const note of await inbox.take(state().lastNote)) {
      if (note.id > state().lastNote) await record({ type: 'note-received', note })
    }
  }

  /** Appends facts one at a time, and folds the event that was actually stored. */
  function record(fact: Fact): Promise<void> {
    queue = queue.then(async () => {
      const elapsed = clock.elapsed()
      const ms = Math.max(0, Math.floor(elapsed) - Math.floor(last))
      const event = await journal.append({ ...fact, ...place(fact), seq: state().seq + 1, at: clock.now(), ms })
      last = elapsed
      const before = view
      view = advance(before, event, policy)
      Promise.try(() => o.onEvent?.(event, view, before)).catch(no)
    })
    queue.catch(no)
    return queue
  }

  function place(fact: Fact): Pick<LoopEvent, 'task' | 'chore' | 'attempt'> {
    const task = fact.type === 'task-picked' ? fact.picked : state().task
    if (!task) return { task: null, attempt: null }
    const base = fact.type === 'task-picked' ? (task.tried ?? 0) : state().attempt
    const at = { task: task.id, attempt: fact.type === 'attempt-started' ? base + 1 : base }
    return task.kind === 'chore' ? { ...at, chore: true } : at
  }

  async function save(leaving = false): Promise<void> {
    const saved = view
    await journal.sync()
    Promise.try(() => o.onSaved?.(saved.state.seq, saved)).catch(no)
    if (saved.state.seq - snapshotSeq < (leaving ? 1 : snapshotEvery)) return
    snapshotSeq = saved.state.seq
    await journal.keep(snapshotKey(policy), snapshotSeq, saved)
  }

  async function load(): Promise<void> {
    const { snapshot, events, lostMs } = await journal.load(snapshotKey(policy))
    if (snapshot) view = snapshot as View<M>
    snapshotSeq = state().seq
    for await (const event of events) view = advance(view, event, policy)
    last = clock.elapsed() - (lostMs?.() ?? 0)
  }

  function handle(): Attempt {
    const { task, attempt, via } = state() as LoopState & { task: Task }
    const recorded: Attempt['recorded'] = (key) => state().calls[key]
    const recordCall: Attempt['record'] = (call) => record({ type: 'call-ended', call })
    return { task, attempt, via, effectKey: `${o.run}/${task.id}`, left: allowance, recorded, record: recordCall }
  }

  function allowance(): Allowance {
    const { caps, task, taskMs, activeMs, ...spent } = state()
    const bound = (cap: CapName): number => caps[cap] ?? Infinity
    const left = (cap: 'tokens' | 'overheadTokens' | 'costUsd'): number =>
      isLifted(spent, cap) ? Infinity : bound(cap) - spent[cap]
    const now = clock.elapsed()
    const ownMs = task?.kind === 'work' ? bound('taskMs') - taskMs : Infinity
    const runMs = Math.min(ownMs, bound('activeMs') - activeMs) - (now - last)
    const ms = Math.max(0, Math.min(runMs, bound('attemptMs') - (now - began)))
    return { tokens: left('tokens'), overheadTokens: left('overheadTokens'), costUsd: left('costUsd'), ms }
  }
}

const no = (): false => false
const brief = (why: unknown): string | undefined =>
  why === undefined ? undefined : String(why instanceof Error ? why.message : (why as string)).slice(0, 500)
const unlessAborted = (signal: AbortSignal) => (error: unknown) => (signal.aborted ? false : Promise.reject(error))

/** Replaces `AbortSignal.any`, which would keep a reference for every attempt until the run ends. */
function link(from: AbortSignal, to: AbortController): () => void {
  const abort = (): void => to.abort(from.reason)
  if (from.aborted) abort()
  from.addEventListener('abort', abort)
  return () => from.removeEventListener('abort', abort)
}

/** Rethrows NotSavedError: it ends the run as unsaved and must not count as a failed attempt. */
function unlessNotSaved(error: unknown): unknown {
  if (error instanceof NotSavedError) throw error
  return error
}
