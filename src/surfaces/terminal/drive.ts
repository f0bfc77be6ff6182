import type { LoopEvent } from '../../contract/event.ts'
import type { ExitCode } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { Caps } from '../../contract/values.ts'
import { linesOf } from '../../modes/procedure/show/lines.ts'
import { holdsVariable } from '../../run/detach-run.ts'
import { type ExecuteOptions, executeRun, signalOf } from '../../run/execute-run.ts'
import { exitOf } from '../../run/exit-of.ts'
import type { View } from '../../run/fold-run.ts'
import { readFrozenRequest, runMarkOf } from '../../run/frozen-request.ts'
import { modeOf } from '../../run/modes.ts'
import { openNotifier } from '../../run/notifier.ts'
import type { Left } from '../../run/read-run.ts'
import { writeResult } from '../../run/result.ts'
import { asOwned } from '../../run/start-run.ts'
import { subjectOf } from '../../run/subject.ts'
import { clockTime } from '../../show/format.ts'
import type { Invocation } from '../cli/command.ts'
import { createDisplay, knowsNotifications, mayRedraw } from './display.ts'
import { listenForSignals } from './signals.ts'

export type Driven = {
  readonly id: string
  readonly dir: string
  readonly name: string
  readonly reopen?: { readonly caps: Caps }
  readonly takeOver?: boolean
  /** Of a run that is owned already. */
  readonly runLease?: ExecuteOptions['lease']
  /** The command that goes on with it, where that is not resume. */
  readonly again?: string
  /** Its result goes to stdout, so whatever is told on the way goes beside it. */
  readonly aside?: boolean
  /** Called once it has left, before the last words. */
  readonly after?: (left: Left<unknown>) => Promise<ExitCode | undefined>
}

/** Runs a loop in front of a person or a program: shows each event once it is safe, listens for signals. */
export async function drive({ place, io, options }: Invocation, run: Driven): Promise<ExitCode> {
  const frozen = readFrozenRequest(run.dir)
  const request = frozen.current
  // What a process of its own says is kept in a file.
  const detached = place.env[holdsVariable] === '1'
  const subject = subjectOf(place, run, detached)
  const live = mayRedraw(place.env, options)
  const warn = (text: string): void => io.err(`${place.name}: ${text}`)
  const stops = listenForSignals((text) => io.err(text))
  const out = run.aside ? io.err : io.out
  const watching = !io.json && options.quiet !== true
  const display = watching
    ? createDisplay({ ...io, out }, { subject, live, verbose: options.verbose === true })
    : undefined
  const notifier = openNotifier({
    runMark: runMarkOf(frozen),
    place,
    request,
    dir: run.dir,
    stop: stops.now,
    warn,
    onNotice: ({ text }) => {
      if (request.bell !== false) io.ring(live && knowsNotifications(place.env) ? text : undefined)
    },
  })
  const pending: unknown[] = []
  const last: string[] = []
  const flush = (): void => {
    for (const line of pending.splice(0)) io.data(line)
    for (const line of last.splice(0)) out(line)
    display?.saved()
    notifier.saved()
  }
  let shown = false
  try {
    const { left, result } = await executeRun({
      place,
      dir: run.dir,
      stop: stops,
      attended: (io.attended && !io.json) || detached,
      reopen: run.reopen,
      takeOver: run.takeOver,
      lease: run.runLease,
      onNotice: warn,
      onEvent: (event, view) => {
        shown = true
        if (io.json) pending.push(toLine(event, run.id))
        if (options.quiet && !io.json && event.type === 'run-ended') last.push(...linesOf(event, view, subject))
        display?.event(event, withGiven(event, view, run.reopen?.caps))
        notifier.saw(event, view.state)
      },
      onSaved: flush,
      ...(display && { onProgress: display.progress }),
    })
    // What could not be saved is not shown as done.
    if (left.status !== 'unsaved') flush()
    display?.close()
    await notifier.close()
    const said = await run.after?.(left)
    const exit = said ?? exitOf(modeOf(request).reasons, left, signalOf(stops))
    if (said !== undefined) writeResult(run.dir, { ...result, exit })
    if (io.json) io.data({ result: { ...result, exit, dir: run.dir } })
    const words = lastWords(left, {
      program: place.name,
      name: run.name,
      address: run.again ? run.dir : run.name,
      again: run.again,
      exit,
      silent: !shown,
    })
    if (words) io.err(words)
    return exit
  } catch (error) {
    throw asOwned(error, run.name)
  } finally {
    display?.close()
    await notifier.close()
    stops.close()
  }
}

/** Bounds given on going on become known to the run a moment later; a person has just typed them. */
const withGiven = (event: LoopEvent, view: View<unknown>, caps: Caps | undefined): View<unknown> =>
  event.type === 'run-resumed' && caps
    ? { ...view, state: { ...view.state, caps: { ...view.state.caps, ...caps } } }
    : view

type About = {
  readonly program: string
  readonly name: string
  /** By what other commands find it. */
  readonly address: string
  readonly again: string | undefined
  readonly exit: ExitCode
  readonly silent: boolean
}

/** The last line is the command that continues, where one does. */
function lastWords(left: Left<unknown>, { program, name, address, again, exit, silent }: About): string | undefined {
  const resume = again ?? `${program} resume ${name}`
  const { state } = left.view
  const { question, ended } = state
  const choices = question?.choices ? ` ${question.choices.join('|')}` : ''
  switch (left.status) {
    case 'unsaved':
      return `${program}: ${(left.error as Error).message}. What was saved is kept. Again: ${resume}`
    case 'interrupted':
      return `[${clockTime(Date.now())}] Interrupted. State saved. Resume with: ${resume}`
    case 'waiting':
      return question
        ? `It asks: ${question.topic}. Answer with: ${program} answer ${address}${choices}, then: ${resume}`
        : `It waits. Go on with: ${resume}`
    case 'ended':
      if (exit !== 0) return again ? `To go on: ${again}` : `To see why: ${program} why ${name}. To go on: ${resume}`
      return silent
        ? `${name} has completed already (${ended?.reason}).${again || state.caps.tasks === undefined ? '' : ` Further: ${resume} --max-iterations N`}`
        : undefined
  }
}
