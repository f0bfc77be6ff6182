import type { LoopEvent } from '../../contract/event.ts'
import { firstDivergence } from '../../kernel/step.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import { findDataProblem } from '../event-data.ts'
import type { Mode, Program } from '../mode.ts'
import { openRun } from '../open-run.ts'
import type { Run } from '../run.ts'

export type Check = { readonly ok: boolean; readonly events: number; readonly problems: readonly string[] }

/** Checks everything stored for a run and returns the problems. Changes nothing. */
export async function checkRun(program: Program, stored: StoredRun): Promise<Check> {
  const problems = (await stored.check()).map(({ says }) => says)
  const events: LoopEvent[] = []
  try {
    for await (const page of (await stored.read()).events) for (const event of page) events.push(event)
  } catch (error) {
    problems.push((error as Error).message)
  }
  const all = [problems, findEventsAfterEnd(events), await findModeProblems(program, stored, events)].flat()
  const unique = [...new Set(all)]
  return { ok: unique.length === 0, events: events.length, problems: unique }
}

/** After its end, a run may only have a `run-reopened` event. */
function findEventsAfterEnd(events: readonly LoopEvent[]): string[] {
  const end = events.findIndex(
    ({ type }, index) => type === 'run-ended' && (events[index + 1]?.type ?? 'run-reopened') !== 'run-reopened',
  )
  return end < 0 ? [] : [`event ${events[end + 1]!.seq} comes after the end of the run`]
}

/** Returns events that the mode cannot parse; if there are none, the first decision that it would not make again. */
async function findModeProblems(program: Program, stored: StoredRun, events: readonly LoopEvent[]): Promise<string[]> {
  try {
    const open = await openRun(program, stored)
    return await open.use((mode, run) => check(mode, run, events))
  } catch (error) {
    return [(error as Error).message]
  }
}

const maxPlaces = 20

async function check<Request, Inputs, Memo, Facts>(
  mode: Mode<Request, Inputs, Memo, Facts>,
  run: Run<Request>,
  events: readonly LoopEvent[],
): Promise<string[]> {
  const unexpected: string[] = []
  let more = 0
  for (const event of events) {
    const says = findDataProblem(mode, event)
    if (!says) continue
    // Finding a place reads the journal from its start.
    if (unexpected.length >= maxPlaces) more++
    else unexpected.push(`${await run.stored.place(event.seq)}: event ${event.seq} holds unexpected data: ${says}`)
  }
  if (more > 0) unexpected.push(`${more} more events hold unexpected data`)
  if (unexpected.length > 0) return unexpected
  const policy = mode.policy(run.original, await mode.load(run))
  const [started] = events
  // Another version of the policy may decide differently.
  if (started?.type === 'run-started' && started.version !== policy.version) return []
  const first = firstDivergence(events, policy)
  return first ? [`event ${first.seq}: this version would decide differently`] : []
}
