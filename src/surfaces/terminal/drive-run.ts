import { readFileSync } from 'node:fs'
import type { ExitCode } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { Caps } from '../../contract/values.ts'
import type { Lock } from '../../ports/locks.ts'
import type { HeldRun, StoredRun } from '../../ports/run-store.ts'
import { toOwnedError } from '../../run/errors.ts'
import { type Executed, executeRun, type Surface } from '../../run/execution/execute.ts'
import { machineAt } from '../../run/machine.ts'
import { type OpenRun, openRun } from '../../run/open-run.ts'
import { formatClockTime } from '../../show/format.ts'
import { formatReason } from '../../show/reasons.ts'
import type { Invocation } from './command.ts'
import { isDetached } from './detach.ts'
import { createDisplay, mayRedraw, supportsNotifications } from './display.ts'
import { createRendering, renderAction, renderEventLines, renderLine } from './render.ts'
import { printOutput } from './render-blocks.ts'

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
      for (const line of finish.says) io.err(renderLine(line, createRendering({ ...program, machine })))
    }
    if (io.json) io.data({ result: { ...result, exit, dir: address } })
    const words = printEnding(executed, open, {
      program: machine.environment.program,
      again,
      silent: !shown.sawEvent(),
    })
    if (words) io.err(words)
    return exit
  } catch (error) {
    throw toOwnedError(error, name)
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
      else if (event.type === 'run-ended') last.push(...renderEventLines(event, lines, createRendering(program)))
    },
    saved: flush,
    notice: (text) => io.err(`${name}: ${text}`),
    ring: ({ text }) => {
      if (open.envelope.bell !== false) io.ring(redraws && supportsNotifications(env) ? text : undefined)
    },
  }
  return { surface, flush, close: () => display?.close(), sawEvent: () => saw }
}

type Stops = {
  readonly soft: AbortSignal
  readonly hard: AbortSignal
  readonly now: AbortSignal
  close(): void
}

const graceMs = 12_000
const oneGestureMs = 250

/**
 * First Ctrl-C: what runs may finish within 12 s, then it is ended. Second: kill now. Third: leave at once, the next
 * start repairs. SIGTERM and SIGHUP act as the second, since supervisors kill after 10 s.
 */
function listenForSignals(say: (text: string) => void): Stops {
  const [soft, hard, now] = [new AbortController(), new AbortController(), new AbortController()]
  let presses = 0
  let lastPress = Number.NEGATIVE_INFINITY
  let patience: NodeJS.Timeout | undefined
  let closed = false

  const interrupt = (): void => {
    const at = performance.now()
    if (at - lastPress < oneGestureMs) return
    lastPress = at
    presses++
    if (closed || presses > 2) process.exit(130)
    if (presses === 2) end('SIGINT')
    else {
      say('Stopping after this step; Ctrl-C again stops it now.')
      soft.abort('SIGINT')
      patience = setTimeout(() => hard.abort('SIGINT'), graceMs)
    }
  }
  const end = (signal: NodeJS.Signals): void => {
    if (closed) process.exit(signal === 'SIGHUP' ? 129 : 143)
    hard.abort(signal)
    now.abort(signal)
  }
  process.on('SIGINT', interrupt).on('SIGTERM', end)
  if (!ignoresHangup()) process.on('SIGHUP', end)
  return {
    soft: soft.signal,
    hard: hard.signal,
    now: now.signal,
    // The process is about to end; until it has, another signal ends it at once.
    close: () => {
      clearTimeout(patience)
      closed = true
    },
  }
}

/** Started with nohup: listening would undo it. */
function ignoresHangup(): boolean {
  try {
    const mask = /^SigIgn:\s*([0-9a-f]+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
    return mask !== undefined && (BigInt(`0x${mask}`) & 1n) === 1n
  } catch {
    return false
  }
}

type EndingOptions = {
  readonly program: string
  /** The command that goes on with it, where that is not resume. */
  readonly again: string | undefined
  /** Nothing happened: there was nothing left to do. */
  readonly silent: boolean
}

/** The last line is the command that continues, where one does. */
export function printEnding(
  { status, state, exit, error }: Executed,
  open: OpenRun,
  { program, again, silent }: EndingOptions,
): string | undefined {
  const { name, address } = open.stored.entry
  const rendering = { program, run: name }
  const resume = again ?? renderAction({ do: 'resume' }, rendering)
  const { question, ended } = state
  switch (status) {
    case 'unsaved':
      return `${program}: ${(error as Error).message}. What was saved is kept. Again: ${resume}`
    case 'interrupted':
      return `[${formatClockTime(Date.now())}] Interrupted. State saved. Resume with: ${resume}`
    case 'waiting': {
      if (!question) return `It waits. Go on with: ${resume}`
      // A run that is called again by its own command is in no list, so it is found by where it is.
      const answer = renderAction(
        { do: 'answer', run: again ? address : name, ...(question.choices && { choices: question.choices }) },
        rendering,
      )
      return `It asks: ${formatted(open, question.topic)}. Answer with: ${answer}, then: ${resume}`
    }
    case 'ended': {
      if (exit !== 0)
        return again
          ? `To go on: ${again}`
          : `To see why: ${renderAction({ do: 'why' }, rendering)}. To go on: ${resume}`
      if (!silent || !ended) return undefined
      const more = renderAction({ do: 'resume', raise: ['tasks'] }, rendering)
      const further = again || state.caps.tasks === undefined ? '' : ` Further: ${more}`
      return `${name} has completed already (${formatted(open, ended.reason)}).${further}`
    }
  }
}

const formatted = (open: OpenRun, reason: Parameters<typeof formatReason>[1]): string =>
  open.use(({ reasons, show }) => formatReason(reasons, reason, show.setting))
