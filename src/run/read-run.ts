import type { LoopEvent } from '../contract/event.ts'
import type { Standing } from '../contract/show.ts'
import type { View } from '../kernel/policy.ts'
import { emptyState, type LoopState, reduce } from '../kernel/state.ts'
import { advance, emptyView, fromThisKernel, snapshotKey } from '../kernel/step.ts'
import type { Owner } from '../ports/lease.ts'
import type { RunListing, StoredRun } from '../ports/run-store.ts'
import { checkData } from './event-data.ts'
import type { Mode } from './mode.ts'
import type { Run } from './run.ts'

export type ReadRun = {
  readonly standing: Standing
  readonly state: LoopState
  readonly owner: Owner | undefined
  /** The signal or person that interrupted the run, if that was its last event. */
  readonly leftBy: string | undefined
  readonly lastAt: number | undefined
}

/** Reads a run of any mode from its journal, starting from a snapshot if there is one. */
export async function readRun(stored: StoredRun): Promise<ReadRun> {
  const owner = await stored.owner()
  const { snapshot, last: kept, events } = await stored.read({ snapshot: fromThisKernel })
  let state = snapshot ? (snapshot as { readonly state: LoopState }).state : emptyState
  let last = kept
  for await (const page of events) {
    for (const event of page) {
      state = reduce(state, event)
      last = event
    }
  }
  const leftBy = last?.type === 'run-interrupted' ? last.by : undefined
  return {
    standing: decideStanding(state, owner, leftBy !== undefined, stored.entry.queued),
    state,
    owner,
    leftBy,
    lastAt: last?.at,
  }
}

/** True if the card of a listed run says that it has ended. A card that is behind its journal says nothing. */
export const hasEnded = ({ card, seq }: RunListing): boolean =>
  card?.seq === seq && !['open', 'waiting', 'interrupted'].includes(card.standing)

export function decideStanding(
  state: LoopState,
  owner: Owner | undefined,
  left: boolean,
  isQueued: boolean | undefined,
): Standing {
  if (state.ended) return state.ended.ending
  if (state.question || (state.wait && (owner || isQueued))) return 'waiting'
  if (owner) return 'running'
  if (isQueued) return 'queued'
  return left ? 'interrupted' : 'crashed'
}

type Reader<Request, Inputs, Memo> = Pick<Mode<Request, Inputs, Memo, never>, 'data' | 'reasons' | 'policy'>

export type FoldOptions<Memo> = {
  readonly upTo?: number
  /** Called for every event, starting with the first. Without it, folding can start from a snapshot. */
  readonly onStep?: (event: LoopEvent, before: View<Memo>, after: View<Memo>) => void
}

/** Folds the events of a run like the loop does. Throws if an event's data does not match the mode's schemas. */
export async function foldRun<Request, Inputs, Memo>(
  mode: Reader<Request, Inputs, Memo>,
  run: Run<Request>,
  inputs: Inputs,
  { upTo, onStep }: FoldOptions<Memo> = {},
): Promise<View<Memo>> {
  const policy = mode.policy(run.original, inputs)
  const whole = onStep !== undefined || upTo !== undefined
  const fits = (key: string): boolean => key === snapshotKey(policy)
  const { snapshot, events } = await run.stored.read({
    ...(!whole && { snapshot: fits }),
    ...(upTo !== undefined && { upTo }),
  })
  let view = snapshot ? (snapshot as View<Memo>) : emptyView(policy)
  for await (const page of events) {
    await checkData(mode, run.stored, page)
    for (const event of page) {
      const before = view
      view = advance(before, event, policy)
      onStep?.(event, before, view)
    }
  }
  return view
}
