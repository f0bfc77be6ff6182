import type { LoopEvent } from '../../contract/event.ts'
import { PawlError } from '../../contract/exit.ts'
import type { LoopState } from '../../kernel/state.ts'
import { StaleWriterError } from '../../ports/journal.ts'
import { RunOwnedError } from '../../ports/lease.ts'
import type { AfterTurn, Turn } from '../../ports/queue.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { CloneSource } from '../../ports/snapshots.ts'
import { checkTrust } from '../actions/trust.ts'
import { type Executed, type ExecuteOptions, executeRun, type Surface } from '../execution/execute.ts'
import { machineAt } from '../machine.ts'
import type { Mode, Program } from '../mode.ts'
import { isPaused } from '../next-action.ts'
import { openRun } from '../open-run.ts'
import { type ReadRun, readRun } from '../read-run.ts'
import type { Run } from '../run.ts'

export type TurnOptions = {
  readonly stop: ExecuteOptions['stop']
  readonly onNotice: (text: string) => void
  /** Called for each event that is recorded in this turn, with the state after it. */
  readonly onEvent?: ((event: LoopEvent, state: LoopState) => void) | undefined
}

/** A longer wait gives the worker to another run. */
const holdMs = 5000
/** When to try again after another process held the run: its lease may just be ending. */
const ownedMs = 2000

/**
 * Executes a run for as long as it has something to do, and says what it wants next. A run that asks or waits does not keep the
 * worker. Rejects if this worker cannot execute it, so that another one may try.
 */
export async function takeTurn(program: Program, turn: Turn, options: TurnOptions): Promise<AfterTurn> {
  const stored = await program.machine.store.open(turn.run)
  if (!stored) return { is: 'ended' }
  const machine = machineAt(program.machine, stored.entry.workspace)
  const open = await openRun({ ...program, machine }, stored)
  await checkTrust(machine, open, false)
  const { owner, state } = await readRun(stored)
  if (owner) return { is: 'again', at: machine.clock.now() + ownedMs }
  if (state.ended && !turn.reopen) return { is: 'ended' }
  const { clone } = open.envelope
  if (clone) return executeInClone({ ...program, machine }, stored, clone, turn, options)
  return open.use((mode, run) => execute({ ...program, machine }, mode, run, turn, options))
}

/** The clone is gone after the turn. What counts of it was pushed. */
async function executeInClone(
  program: Program,
  stored: StoredRun,
  source: CloneSource,
  turn: Turn,
  options: TurnOptions,
): Promise<AfterTurn> {
  const { machine } = program
  options.onNotice(`cloning ${source.url}`)
  const clone = await machine.git.openClone(source, turn.run)
  let forGood = false
  try {
    const { workspace, openSnapshots } = clone
    const git = { ...machine.git, openSnapshots: (_: string, own: readonly string[]) => openSnapshots(own) }
    const inClone = { ...program, machine: machineAt({ ...machine, git }, workspace) }
    const there = await openRun(inClone, { ...stored, entry: { ...stored.entry, workspace } })
    const after = await there.use((mode, run) => execute(inClone, mode, run, turn, options))
    forGood = after.is === 'ended'
    return after
  } finally {
    await clone.remove({ forGood })
  }
}

async function execute<Request, Inputs, Memo, Facts>(
  program: Program,
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  { reopen, job }: Turn,
  { stop, onNotice, onEvent }: TurnOptions,
): Promise<AfterTurn> {
  const { machine } = program
  const { stored } = run
  const pauseMs = mode.pauseMs?.(run.current.request)
  const before = await readRun(stored)
  await endPause(stored, before, pauseMs, program)
  try {
    if (!before.state.ended || reopen) await mode.preflight(run.current, machine)
    const lock = await mode.hold(run, machine, { force: false })
    try {
      const open = await openRun(program, stored)
      const surface: Surface = {
        notice: onNotice,
        ...(onEvent && { event: (event, view) => onEvent(event, view.state) }),
      }
      const executed = await executeRun(open, {
        machine,
        stop,
        attended: false,
        holdMs,
        reopen,
        job,
        mayShowWords: false,
        surface,
      })
      return decideNext(executed, machine.clock.now(), pauseMs)
    } finally {
      await lock.release()
    }
  } catch (error) {
    if (isOwned(error)) return { is: 'again', at: machine.clock.now() + ownedMs }
    throw error
  }
}

const isOwned = (error: unknown): boolean =>
  error instanceof RunOwnedError || (error instanceof PawlError && error.code === 'owned')

/** Ends a pause that nobody ended within the mode's time. While a run sleeps, no process could do so. */
async function endPause(
  stored: StoredRun,
  { state, lastAt }: ReadRun,
  pauseMs: number | undefined,
  { machine }: Program,
): Promise<void> {
  if (pauseMs === undefined || !state.question || !isPaused(state)) return
  if (machine.clock.now() >= (lastAt ?? 0) + pauseMs)
    await stored.post({ by: machine.environment.program, say: 'unpause' })
}

function decideNext({ status, state, error }: Executed, now: number, pauseMs: number | undefined): AfterTurn {
  switch (status) {
    case 'ended':
      return { is: 'ended' }
    case 'interrupted':
      return { is: 'again', at: now }
    case 'waiting':
      return decideWake(state, now, pauseMs)
    case 'unsaved':
      if (error instanceof StaleWriterError) return { is: 'again', at: now + ownedMs }
      throw error
  }
}

function decideWake(state: LoopState, now: number, pauseMs: number | undefined): AfterTurn {
  if (state.question)
    return pauseMs !== undefined && isPaused(state) ? { is: 'again', at: now + pauseMs } : { is: 'asleep' }
  return { is: 'again', at: state.wait?.until ?? now }
}
