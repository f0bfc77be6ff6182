import { readFileSync } from 'node:fs'
import type { ExitCode } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { Caps } from '../../contract/values.ts'
import type { Lock } from '../../ports/locks.ts'
import type { HeldRun, StoredRun } from '../../ports/run-store.ts'
import { toOwnedError } from '../../run/errors.ts'
import { type Executed, executeRun, type Surface } from '../../run/execution/execute.ts'
import { machineAt } from '../../run/machine.ts'
import { isPaused, startAfresh } from '../../run/next-action.ts'
import { type OpenRun, openRun } from '../../run/open-run.ts'
import { formatClockTime } from '../../show/format.ts'
import { formatReason } from '../../show/reasons.ts'
import { listSpentMoney } from '../../show/spend.ts'
import type { Invocation } from './command.ts'
import { isDetached } from './detach.ts'
import { createDisplay, mayRedraw, supportsNotifications } from './display.ts'
import { type LiveKeys, openLiveKeys } from './live-keys.ts'
import { createRendering, renderAction, renderEventLines, renderLine } from './render.ts'
import { printOutput } from './render-blocks.ts'
import type { Text } from './styled.ts'

export type Driven = {
  readonly stored: StoredRun
  /** The same run, if it is already open. */
  readonly open?: OpenRun | undefined
  /** Released when driving ends. */
  readonly lock?: Lock | undefined
  /** Given if the run is already held; released when driving ends. */
  readonly held?: HeldRun | undefined
  readonly reopen?: { readonly caps: Caps } | undefined
  readonly takeOver?: boolean | undefined
  /** The command that continues the run, if it is not resume. */
  readonly again?: string | undefined
}

/** Executes a run, prints each event once it is on disk, and handles signals. */
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
    shown = showRun({ ...invocation, program: { ...program, machine } }, open, stops.stopSoftly)
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
    // Events that could not be saved are not printed.
    if (status !== 'unsaved') shown.flush()
    shown.close()
    if (finish && !io.json) {
      // A detached process prints to a log file, and the content must not be stored unencrypted.
      if (finish.output && !detached) printOutput(io, finish.output)
      for (const line of finish.says) io.err(renderLine(line, createRendering({ ...program, machine })))
    }
    if (io.json) io.data({ result: { ...result, exit, dir: address } })
    const ending = formatEnding(executed, open, {
      program: machine.environment.program,
      again,
      silent: !shown.sawEvent(),
    })
    if (ending) io.err(ending)
    return exit
  } catch (error) {
    throw toOwnedError(error, name)
  } finally {
    shown?.close()
    // The lock first: the next owner of the run must not find it still taken.
    await run.lock?.release()
    await run.held?.release()
    stops.close()
  }
}

type Shown = {
  readonly surface: Surface
  /** Prints pending events: all of them are on disk. */
  flush(): void
  close(): void
  sawEvent(): boolean
}

/** Shows a run as JSON events, as a live display, or only by its last lines. */
function showRun({ program, options, io }: Invocation, open: OpenRun, stopSoftly: Stops['stopSoftly']): Shown {
  const { environment } = program.machine
  const { program: name, cwd, env } = environment
  const redraws = mayRedraw(env, options)
  // A mode with `finish` prints its result to stdout, so progress goes to stderr.
  const isAside = open.use((mode) => mode.finish !== undefined)
  const out = isAside ? io.err : io.out
  const watches = !io.json && options.quiet !== true
  const takesKeys = watches && redraws && io.screen !== undefined && io.attended
  const display = watches
    ? createDisplay(
        { ...io, out },
        {
          rendering: { program: name, cwd, colour: io.colour, run: open.stored.entry.name },
          redraws,
          verbose: options.verbose === true,
          keys: takesKeys ? { typed: () => keys?.typed(), isOpen: () => keys?.isOpen() ?? true } : undefined,
        },
      )
    : undefined
  const keys: LiveKeys | undefined =
    display && takesKeys
      ? openLiveKeys(program, open, { io, hide: display.hide, redraw: display.redraw, stopSoftly })
      : undefined
  const journal: unknown[] = []
  const last: Text[] = []
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
  const close = (): void => {
    keys?.close()
    display?.close()
  }
  return { surface, flush, close, sawEvent: () => saw }
}

type Stops = {
  readonly soft: AbortSignal
  readonly hard: AbortSignal
  readonly now: AbortSignal
  /** Ends the run after its current step, however long that takes. Ctrl-C then ends it at once. */
  stopSoftly(by: string): void
  close(): void
}

const graceMs = 12_000
const samePressMs = 250

/**
 * First Ctrl-C: the current step has 12 s to finish, then it is killed. Second: kill it now. Third: exit at once; the
 * next start repairs the run. SIGTERM and SIGHUP act like the second, because supervisors kill after 10 s.
 */
function listenForSignals(print: (text: string) => void): Stops {
  const [soft, hard, now] = [new AbortController(), new AbortController(), new AbortController()]
  let presses = 0
  let lastPress = Number.NEGATIVE_INFINITY
  let grace: NodeJS.Timeout | undefined
  let closed = false

  const interrupt = (): void => {
    const at = performance.now()
    if (at - lastPress < samePressMs) return
    lastPress = at
    presses++
    if (closed || presses > 2) process.exit(130)
    if (presses === 2) end('SIGINT')
    else {
      print('Stopping after this step. Press Ctrl-C again to stop now.')
      soft.abort('SIGINT')
      grace = setTimeout(() => hard.abort('SIGINT'), graceMs)
    }
  }
  const end = (signal: NodeJS.Signals): void => {
    if (closed) process.exit(signal === 'SIGHUP' ? 129 : 143)
    hard.abort(signal)
    now.abort(signal)
  }
  const stopSoftly = (by: string): void => {
    if (presses > 0 || soft.signal.aborted) return
    presses = 1
    print('Stopping after this step, however long it takes. Press Ctrl-C to stop now.')
    soft.abort(by)
  }
  process.on('SIGINT', interrupt).on('SIGTERM', end)
  if (!ignoresHangup()) process.on('SIGHUP', end)
  return {
    soft: soft.signal,
    hard: hard.signal,
    now: now.signal,
    stopSoftly,
    // The process is about to exit. Until then, another signal exits at once.
    close: () => {
      clearTimeout(grace)
      closed = true
    },
  }
}

/** Whether the program was started with nohup, which a SIGHUP handler would undo. */
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
  /** The command that continues the run, if it is not resume. */
  readonly again: string | undefined
  /** No event happened: there was nothing left to do. */
  readonly silent: boolean
}

/** Formats the last line: how the run ended and the command that continues it. Undefined if there is nothing to add. */
export function formatEnding(
  { status, state, exit, error, isGone, isLost }: Executed,
  open: OpenRun,
  { program, again, silent }: EndingOptions,
): string | undefined {
  const { name, address } = open.stored.entry
  const rendering = { program, run: name }
  const { question, ended } = state
  const resume = again ?? renderAction({ do: 'resume', raise: ended ? listSpentMoney(state) : [] }, rendering)
  if (isLost) {
    const fresh = renderAction(startAfresh(name), rendering)
    return `${program}: ${name} was not recorded to its end and cannot be resumed. Check its work, then start again: ${fresh}`
  }
  switch (status) {
    case 'unsaved':
      if (isGone) return `${program}: ${address} is gone, and the record of this run with it. It cannot be resumed.`
      return `${program}: ${(error as Error).message}. Saved work is kept. To resume: ${resume}`
    case 'interrupted':
      return `[${formatClockTime(Date.now())}] Interrupted. State saved. Resume with: ${resume}`
    case 'waiting': {
      if (isPaused(state)) return `The run is paused. To continue: ${resume}`
      if (!question) return `The run is waiting. To resume: ${resume}`
      // A run with its own command is in no list, so it is named by its address.
      const answer = renderAction(
        { do: 'answer', run: again ? address : name, ...(question.choices && { choices: question.choices }) },
        rendering,
      )
      const asks = formatOpenReason(open, question.topic)
      return `The run asks: ${asks}${asks.endsWith('?') ? '' : '.'} Answer with: ${answer}, then: ${resume}`
    }
    case 'ended': {
      if (exit !== 0)
        return again
          ? `To resume: ${again}`
          : `To see why: ${renderAction({ do: 'why' }, rendering)}. To resume: ${resume}`
      if (!silent || !ended) return undefined
      const more = renderAction({ do: 'resume', raise: ['tasks'] }, rendering)
      const next = again || state.caps.tasks === undefined ? '' : ` To continue: ${more}`
      return `${name} is already completed (${formatOpenReason(open, ended.reason)}).${next}`
    }
  }
}

const formatOpenReason = (open: OpenRun, reason: Parameters<typeof formatReason>[1]): string =>
  open.use(({ reasons, show }) => formatReason(reasons, reason, show.setting))
