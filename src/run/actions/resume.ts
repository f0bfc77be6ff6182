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
  /** Skips a wait for a usage limit. */
  readonly now: boolean
  /** New limits. `tasks` is the value of `-n`; the mode decides what it means. */
  readonly caps: Caps
  /** Raw flags; the mode parses them with its own schema. Relative paths start at `cwd`. */
  readonly flags: Readonly<Record<string, unknown>>
  readonly cwd: string
}

export type Resumed =
  /** A process already runs this run and waits; it was told to skip the wait. */
  | { readonly is: 'told'; readonly note: unknown }
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
    // The former agent's usage limit does not apply to another agent.
    if (options.now || amended.anotherAgent) await stored.post({ by, say: 'skip-wait' })
    const notices = [...amended.changes, ...((await resuming.notices?.(run, machine)) ?? [])]
    const open = await openRun(program, stored)
    return { is: 'ready', open, lock, reopen: { caps }, hasEnded: ended !== undefined, notices }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/** Stores the changed request next to the original one and posts a note about it. */
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

/** Throws if a best-effort run continued after it lost its journal: there is no record of what it did. */
async function refuseIfJournalLost(stored: StoredRun): Promise<void> {
  const { seq } = (await readRun(stored)).state
  const result = (await stored.kept('result')) as { readonly seq?: unknown } | undefined
  const further = typeof result?.seq === 'number' && result.seq > seq
  if (!further && (await stored.isWhole())) return
  const { name } = stored.entry
  const what = `${name} cannot be resumed: it continued after its journal could not be written`
  throw new PawlError(10, what, `Check its work, then start again: pawl run ${name} --fresh`)
}
