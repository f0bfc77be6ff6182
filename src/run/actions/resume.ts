import type { Note } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import type { OwnText } from '../../contract/programs.ts'
import type { CapName, Caps } from '../../contract/values.ts'
import type { LoopState } from '../../kernel/state.ts'
import type { Owner } from '../../ports/lease.ts'
import { type Lock, noLock } from '../../ports/locks.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { formatAction } from '../../show/action.ts'
import { formatAmount, formatDuration } from '../../show/format.ts'
import { listSpentMoney, reopenedCaps } from '../../show/spend.ts'
import { checkData } from '../event-data.ts'
import type { Machine } from '../machine.ts'
import type { Amended, Mode, Program } from '../mode.ts'
import { currentPerson, formatRequest } from '../new-run.ts'
import { isPaused } from '../next-action.ts'
import { type OpenRun, openRun } from '../open-run.ts'
import { readRun } from '../read-run.ts'
import type { Run } from '../run.ts'
import { checkTrust } from './trust.ts'

export type ResumeOptions = {
  readonly trust: boolean
  readonly takeOver: boolean
  /** Skips a wait for a usage limit. */
  readonly now: boolean
  /** New limits. `tasks` is the value of `-n`; the mode decides what it means. */
  readonly caps: Caps
  /** Raw flags; the mode parses them with its own schema. Relative paths start at `cwd`. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly cwd: string
}

export type Resumed =
  /** A process already runs this run and is paused or waits; it was told to go on. */
  | { readonly is: 'told'; readonly note: Note; readonly owner: Owner }
  | {
      readonly is: 'ready'
      readonly open: OpenRun
      /** The caller releases it when the run has left the loop. */
      readonly lock: Lock
      readonly reopen: { readonly caps: Caps }
      readonly hasEnded: boolean
      /** Messages to show before the run resumes. */
      readonly notices: readonly string[]
    }

/** Prepares a run for execution: checks trust, takes the lock, checks the journal, applies changes. Reads no configuration: the request is fixed. */
export async function prepareResume(program: Program, stored: StoredRun, options: ResumeOptions): Promise<Resumed> {
  const open = await openRun(program, stored)
  await checkTrust(program.machine, open, options.trust)
  return open.use((mode, run) => prepare(program, mode, run, options))
}

async function prepare<Request, Inputs, Memo, Facts>(
  program: Program,
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  options: ResumeOptions,
): Promise<Resumed> {
  const { machine } = program
  const { stored } = run
  const { resuming } = mode
  const caps = resuming.caps(options.caps)
  // With another key nothing can be read, so nothing is posted either.
  const proof = mode.sealedBy(run.original.request)
  if (proof) await run.content.get(proof)
  const amended = await resuming.amend(run.current.request, { flags: options.flags, cwd: options.cwd }, machine)
  if (options.now) {
    for (const { name } of mode.commands(run.current.request).agents) await machine.agents.forgetLimit(name)
  }
  const told = options.takeOver ? undefined : await tellOwner(run, options.now, caps, amended)
  if (told) return told
  // The work tree of a queued run is where its worker is.
  const isHere = !stored.entry.queued
  const lock = isHere ? await mode.hold(run, machine, { force: options.takeOver }) : noLock
  try {
    await refuseIfJournalLost(stored)
    for await (const page of (await stored.read()).events) await checkData(mode, stored, page)
    const { state } = await readRun(stored)
    const raised = describeRaises(mode, run, state, caps)
    await amendRun(mode, run, machine, amended)
    const by = currentPerson()
    if (!state.ended && Object.keys(caps).length > 0) await stored.post({ by, say: 'raise', caps })
    if (!state.ended && isPaused(state)) await stored.post({ by, say: 'unpause' })
    // The former agent's usage limit does not apply to another agent.
    if (options.now || amended.anotherAgent) await stored.post({ by, say: 'skip-wait' })
    const open = await openRun(program, stored)
    const current = { ...run, current: { ...run.current, request: amended.request } }
    const notices = [...amended.changes, ...raised, ...((isHere && (await resuming.notices?.(current, machine))) || [])]
    return { is: 'ready', open, lock, reopen: { caps }, hasEnded: state.ended !== undefined, notices }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Lets a live process go on that is paused, or that waits if `now` is set. Undefined if there is no such process. */
async function tellOwner<Request>(
  { stored }: Run<Request>,
  now: boolean,
  caps: Caps,
  { changes }: Amended<Request>,
): Promise<Resumed | undefined> {
  const { owner, state } = await readRun(stored)
  const paused = isPaused(state)
  if (!owner || state.ended || !(now || paused)) return undefined
  const { name } = stored.entry
  if (changes.length > 0) {
    const what = `${name} runs in another process (pid ${owner.pid}), which cannot change its agent, goal or context`
    throw new PawlError(10, what, (pawl) => `Resume it without these flags, or end it first: ${pawl} stop ${name}`)
  }
  const by = currentPerson()
  if (Object.keys(caps).length > 0) await stored.post({ by, say: 'raise', caps })
  const note = paused ? await stored.post({ by, say: 'unpause' }) : undefined
  return { is: 'told', owner, note: now || !note ? await stored.post({ by, say: 'skip-wait' }) : note }
}

/**
 * Says by how much a reopened run raises the bounds that it has spent. Bounds on money are raised only by a flag: throws if one is
 * spent and not given.
 */
function describeRaises<Request, Inputs, Memo, Facts>(
  { show }: Mode<Request, Inputs, Memo, Facts>,
  { stored, original }: Run<Request>,
  state: LoopState,
  given: Caps,
): readonly string[] {
  if (!state.ended || (state.ended.ending === 'completed' && Object.keys(given).length === 0)) return []
  const spent = listSpentMoney(state).filter((cap) => given[cap === 'overheadTokens' ? 'tokens' : cap] === undefined)
  const { name } = stored.entry
  if (spent.length > 0) {
    const used = spent.map((cap) => `${show.setting(cap)} (${formatCap(cap, state[cap])} used)`).join(' and ')
    const hint: OwnText = (pawl) => formatAction({ do: 'resume', run: name, raise: spent }, pawl).join(' ')
    throw new PawlError(
      10,
      `${name} has reached ${used}; resume raises it only if you say to what`,
      hint,
      'bound_spent',
    )
  }
  const raised = Object.entries(reopenedCaps(state, original.envelope.caps)).filter(
    ([cap]) => given[cap as CapName] === undefined,
  )
  return formatRaises(show, state.caps, Object.fromEntries(raised))
}

/** One line for each bound that is raised. */
export const formatRaises = ({ setting }: { setting(cap: CapName): string }, from: Caps, to: Caps): string[] =>
  (Object.entries(to) as [CapName, number][]).map(
    ([cap, value]) => `${setting(cap)} raised from ${formatCap(cap, from[cap] ?? 0)} to ${formatCap(cap, value)}`,
  )

function formatCap(cap: CapName, value: number): string {
  if (cap === 'costUsd') return `$${value.toFixed(2)}`
  return cap.endsWith('Ms') ? formatDuration(value) : formatAmount(value)
}

/** Stores the changed request next to the original one and posts a note about it. Checks it first, changed or not. */
async function amendRun<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  { current, stored }: Run<Request>,
  machine: Machine,
  { request, changes, terms }: Amended<Request>,
): Promise<void> {
  const envelope = { ...current.envelope, with: request }
  await mode.preflight({ ...current, envelope, request }, machine)
  if (changes.length === 0) return
  const ref = await stored.amend(formatRequest(envelope))
  await machine.store.trust(stored.entry, ref.sha256)
  await stored.post({ by: currentPerson(), say: 'amend', request: ref, terms })
}

/** Throws if a best-effort run continued after it lost its journal: there is no record of what it did. */
async function refuseIfJournalLost(stored: StoredRun): Promise<void> {
  const { seq } = (await readRun(stored)).state
  const result = (await stored.kept('result')) as { readonly seq?: unknown } | undefined
  const further = typeof result?.seq === 'number' && result.seq > seq
  if (!further && (await stored.isWhole())) return
  const { name } = stored.entry
  const what = `${name} cannot be resumed: it continued after its journal could not be written`
  throw new PawlError(10, what, (pawl) => `Check its work, then start again: ${pawl} run ${name} --fresh`)
}
