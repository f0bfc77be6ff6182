import type { LoopEvent } from '../../contract/event.ts'
import type { Line } from '../../contract/show.ts'
import { advance, emptyView } from '../../kernel/step.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { About } from '../../show/show.ts'
import type { Mode } from '../mode.ts'
import { openRun } from '../open-run.ts'
import type { Program } from '../program.ts'
import type { Run } from '../run.ts'
import { openWords } from '../words.ts'
import { checkedEvents } from './output.ts'

export type ShownEvent = { readonly event: LoopEvent; readonly lines: readonly Line[] }

/** A run's events with their lines, from the first on; with `follow` also those still to come. */
export async function* showEvents(program: Program, stored: StoredRun, follow: boolean): AsyncGenerator<ShownEvent> {
  const open = await openRun(program, stored)
  yield* open.use((mode, run) => show(mode, run, follow))
}

async function* show<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  follow: boolean,
): AsyncGenerator<ShownEvent> {
  const inputs = await mode.load(run)
  const policy = mode.policy(run.original, inputs)
  const words = openWords(run.content, true)
  const { request } = run.current
  const { id, name } = run.entry
  const about: About<Request, Inputs> = { id, name, request, inputs, words: words.get }
  let before = emptyView(policy)
  for await (const event of checkedEvents(mode, run.stored, follow)) {
    const after = advance(before, event, policy)
    await words.load(mode.show.wants(event, after, request))
    yield { event, lines: mode.show.lines({ event, before, after }, about) }
    before = after
  }
}
