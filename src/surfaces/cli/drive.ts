import { executeRun, signalOf } from '../../app/execute-run.ts'
import { exitOf } from '../../app/exit-of.ts'
import { resultOf } from '../../app/result.ts'
import { asOwned } from '../../app/start-run.ts'
import type { ExitCode } from '../../contract/exit.ts'
import { toLine } from '../../contract/line.ts'
import type { Caps } from '../../contract/values.ts'
import type { Invocation } from './command.ts'
import { linesOf } from './lines.ts'
import { listenForSignals } from './signals.ts'

export type Driven = {
  readonly id: string
  readonly dir: string
  readonly name: string
  readonly reopen?: { readonly caps: Caps }
  readonly takeOver?: boolean
}

/** Runs a loop in front of a person or a program: shows each event once it is safe, listens for signals. */
export async function drive({ place, io, options }: Invocation, run: Driven): Promise<ExitCode> {
  const quiet = options.quiet === true
  const pending: (() => void)[] = []
  const flush = (): void => {
    for (const show of pending.splice(0)) show()
  }
  let shown = false
  const stops = listenForSignals((text) => io.err(text))
  try {
    const left = await executeRun({
      place,
      dir: run.dir,
      stop: stops,
      attended: io.attended && !io.json,
      reopen: run.reopen,
      takeOver: run.takeOver,
      onNotice: (text) => io.err(`${place.name}: ${text}`),
      onEvent: (event, { state }) => {
        shown = true
        if (io.json) pending.push(() => io.data(toLine(event, run.id)))
        else if (!quiet) for (const line of linesOf(event, state, run.name)) pending.push(() => io.out(line))
      },
      onSaved: flush,
    })
    flush()
    const { state } = left.view
    const exit = exitOf(left, signalOf(stops))
    if (io.json) io.data({ result: { ...resultOf(run.id, left, signalOf(stops)), dir: run.dir } })
    const resume = `${place.name} resume ${run.name}`
    if (left.status === 'unsaved')
      io.err(`${place.name}: ${String((left.error as Error).message)}. What was saved is kept. Again: ${resume}`)
    if (left.status === 'interrupted') io.err(`Interrupted. State saved. Resume with: ${resume}`)
    if (left.status === 'waiting')
      io.err(
        `${state.question ? `It asks: ${state.question.topic}. Answer with: ${place.name} answer ${run.name}` : `It waits. Go on with: ${resume}`}`,
      )
    if (!shown && exit === 0 && !io.json) {
      io.err(`${run.name} has completed already (${state.ended?.reason}). Further: ${resume} --max-iterations N`)
    }
    if (left.status === 'ended' && exit !== 0) io.err(`To see why: ${place.name} why ${run.name}`)
    return exit
  } catch (error) {
    throw asOwned(error, run.name)
  } finally {
    stops.close()
  }
}
