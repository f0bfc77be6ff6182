import { PawlError } from '../../contract/exit.ts'
import type { Caps } from '../../contract/values.ts'
import type { Lock } from '../../ports/locks.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { checkData } from '../event-data.ts'
import type { Machine } from '../machine.ts'
import type { Amended, Mode, Program } from '../mode.ts'
import { currentPerson, formatRequest } from '../new-run.ts'
import { type OpenRun, openRun } from '../open-run.ts'
import { readRun } from '../read-run.ts'
import type { Run } from '../run.ts'
import { checkTrust } from './trust.ts'

export type ResumeOptions = {
  readonly trust: boolean
  readonly takeOver: boolean
  /** Do not wait for a limit to pass. */
  readonly now: boolean
  /** Bounds as they were given: `tasks` is what `-n` says, whatever that means to the mode. */
  readonly caps: Caps
  /** Changes as they were given, parsed by the mode; files among them are named from `cwd`. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly cwd: string
}

export type Resumed =
  /** Somebody runs it already and waits: that one was told to go on. */
  | { readonly is: 'told'; readonly note: unknown }
  | {
      readonly is: 'ready'
      readonly open: OpenRun
      /** Released when the run has left. */
      readonly lock: Lock
      readonly reopen: { readonly caps: Caps }
      readonly hasEnded: boolean
      /** For a person, before it goes on. */
      readonly notices: readonly string[]
    }

/** Everything that going on with a run needs before it is executed. What it was started with is frozen: no configuration is read. */
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
  if (options.now) {
    for (const { name } of mode.commands(run.current.request).agents) await machine.agents.forgetLimit(name)
    const { owner, state } = await readRun(stored)
    if (owner && !state.ended) return { is: 'told', note: await stored.post({ by: currentPerson(), say: 'skip-wait' }) }
  }
  const lock = await mode.hold(run, machine, { force: options.takeOver })
  try {
    await refuseIfJournalLost(stored)
    for await (const page of (await stored.read()).events) await checkData(mode, stored, page)
    await mode.preflight(run.current, machine)
    const amended = await resuming.amend(run.current.request, { flags: options.flags, cwd: options.cwd }, machine)
    await amendRun(mode, run, machine, amended)
    const { ended } = (await readRun(stored)).state
    const by = currentPerson()
    if (!ended && Object.keys(caps).length > 0) await stored.post({ by, say: 'raise', caps })
    // What another agent has to wait for is not what this one had to.
    if (options.now || amended.anotherAgent) await stored.post({ by, say: 'skip-wait' })
    const notices = [...amended.changes, ...((await resuming.notices?.(run, machine)) ?? [])]
    const open = await openRun(program, stored)
    return { is: 'ready', open, lock, reopen: { caps }, hasEnded: ended !== undefined, notices }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** The new request lies beside the old one; the journal gets to know of it as a note. */
async function amendRun<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  { current, stored }: Run<Request>,
  machine: Machine,
  { request, changes, terms }: Amended<Request>,
): Promise<void> {
  if (changes.length === 0) return
  const envelope = { ...current.envelope, with: request }
  await mode.preflight({ ...current, envelope, request }, machine)
  const ref = await stored.amend(formatRequest(envelope))
  await machine.store.trust(stored.entry, ref.sha256)
  await stored.post({ by: currentPerson(), say: 'amend', request: ref, terms })
}

/** A best-effort run may have gone on after its journal was lost; what it did then is known to nobody. */
async function refuseIfJournalLost(stored: StoredRun): Promise<void> {
  const { seq } = (await readRun(stored)).state
  const result = (await stored.kept('result')) as { readonly seq?: unknown } | undefined
  const further = typeof result?.seq === 'number' && result.seq > seq
  if (!further && (await stored.isWhole())) return
  const { name } = stored.entry
  const what = `${name} went on after its journal could not be written`
  throw new PawlError(10, what, `Look at its work, then: pawl run ${name} --fresh`)
}
