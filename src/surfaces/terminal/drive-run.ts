import type { ExitCode } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { Caps } from '../../contract/values.ts'
import type { Lock } from '../../ports/locks.ts'
import type { HeldRun, StoredRun } from '../../ports/run-store.ts'
import { asOwned } from '../../run/errors.ts'
import { executeRun, type Surface } from '../../run/execution/execute.ts'
import { machineAt } from '../../run/machine-at.ts'
import { type OpenRun, openRun } from '../../run/open-run.ts'
import type { Invocation } from './command.ts'
import { isDetached } from './detach.ts'
import { createDisplay, knowsNotifications, mayRedraw } from './display.ts'
import { lastWords } from './last-words.ts'
import { printOutput } from './print-output.ts'
import { renderEventLines, renderingAt, renderLine } from './render.ts'
import { listenForSignals } from './signals.ts'

export type Driven = {
  readonly stored: StoredRun
  /** The same run, where it has been opened already. */
  readonly open?: OpenRun | undefined
  /** Released when the run has left. */
  readonly lock?: Lock | undefined
  /** Of a run that is held already; released when the run has left. */
  readonly held?: HeldRun | undefined
  readonly reopen?: { readonly caps: Caps } | undefined
  readonly takeOver?: boolean | undefined
  /** The command that goes on with it, where that is not resume. */
  readonly again?: string | undefined
}

/** Runs a loop in front of a person or a program: shows each event once it is safe, listens for signals. */
export async function driveRun(invocation: Invocation, run: Driven): Promise<ExitCode> {
  const { program, io } = invocation
  const { stored, again } = run
  const { name, address, workspace } = stored.entry
  const machine = machineAt(program.machine, workspace)
  const detached = isDetached(machine.environment)
  const stops = listenForSignals(io.err)
  let shown: Shown | undefined
  try {
    const open = run.open ?? (await openRun({ ...program, machine }, stored))
    shown = showRun({ ...invocation, program: { ...program, machine } }, open)
    const executed = await executeRun(open, {
      machine,
      stop: stops,
      attended: (io.attended && !io.json) || detached,
      reopen: run.reopen,
      held: run.held,
      takeOver: run.takeOver,
      mayShowWords: !detached,
      surface: shown.surface,
    })
    const { exit, status, result, finish } = executed
    // What could not be saved is not shown as done.
    if (status !== 'unsaved') shown.flush()
    shown.close()
    if (finish && !io.json) {
      // What a process of its own prints is kept in a file, and the work may lie nowhere in the clear.
      if (finish.output && !detached) printOutput(io, finish.output)
      for (const line of finish.says) io.err(renderLine(line, renderingAt({ ...program, machine })))
    }
    if (io.json) io.data({ result: { ...result, exit, dir: address } })
    const words = lastWords(executed, open, { program: machine.environment.program, again, silent: !shown.sawEvent() })
    if (words) io.err(words)
    return exit
  } catch (error) {
    throw asOwned(error, name)
  } finally {
    shown?.close()
    // Whoever finds the run free must not meet its last owner in what the lock is for.
    await run.lock?.release()
    await run.held?.release()
    stops.close()
  }
}

type Shown = {
  readonly surface: Surface
  /** Everything so far is safe. */
  flush(): void
  close(): void
  sawEvent(): boolean
}

/** How a run is shown here: as lines of its journal, as a display, or by its last lines alone. */
function showRun({ program, options, io }: Invocation, open: OpenRun): Shown {
  const { environment } = program.machine
  const { program: name, cwd, env } = environment
  const redraws = mayRedraw(env, options)
  // A mode that finishes puts its work on stdout, so whatever is told on the way goes beside it.
  const isAside = open.use((mode) => mode.finish !== undefined)
  const out = isAside ? io.err : io.out
  const watches = !io.json && options.quiet !== true
  const display = watches
    ? createDisplay({ ...io, out }, { rendering: { program: name, cwd }, redraws, verbose: options.verbose === true })
    : undefined
  const journal: unknown[] = []
  const last: string[] = []
  let saw = false
  const flush = (): void => {
    for (const line of journal.splice(0)) io.data(line)
    for (const line of last.splice(0)) out(line)
    display?.saved()
  }
  const surface: Surface = {
    ...(display && { live: display.live, progress: display.progress }),
    event: (event, _view, lines) => {
      saw = true
      if (io.json) journal.push(toLine(event, open.stored.entry.id))
      else if (display) display.event(event, lines)
      else if (event.type === 'run-ended') last.push(...renderEventLines(event, lines, renderingAt(program)))
    },
    saved: flush,
    notice: (text) => io.err(`${name}: ${text}`),
    ring: ({ text }) => {
      if (open.envelope.bell !== false) io.ring(redraws && knowsNotifications(env) ? text : undefined)
    },
  }
  return { surface, flush, close: () => display?.close(), sawEvent: () => saw }
}
