import type { CapName } from '../contract/values.ts'
import type { LoopState } from '../kernel/state.ts'

/** The bound that ends a run first if it goes on as it did. What is left is counted with the iteration that runs. */
export type Forecast = { readonly cap: CapName } & (
  | { readonly iterations: number }
  | { readonly failures: number }
  | { readonly ms: number }
)

/** Pure: from what an iteration has used on average. Before the first one is done only plain counts are known. */
export function firstBound(state: LoopState): Forecast | undefined {
  const nearest = allowed(state).sort((a, b) => a.iterations - b.iterations)[0]
  if (nearest) return nearest.cap === 'failuresInARow' ? { cap: nearest.cap, failures: nearest.iterations } : nearest
  const { activeMs } = state.caps
  return activeMs === undefined ? undefined : { cap: 'activeMs', ms: Math.max(0, activeMs - state.activeMs) }
}

/** How many iterations each bound still allows. A bound that nothing has used so far says nothing. */
function allowed(state: LoopState): { cap: CapName; iterations: number }[] {
  const { caps, tasks, failuresInARow } = state
  const each = (used: number): number => (tasks > 0 ? used / tasks : 0)
  const uses = [
    ['tasks', tasks, 1],
    ['attemptsPerRun', state.attempts, each(state.attempts)],
    ['activeMs', state.activeMs, each(state.activeMs)],
    ['tokens', state.tokens, each(state.tokens)],
    ['costUsd', state.costUsd, each(state.costUsd)],
    ['failuresInARow', failuresInARow, failuresInARow > 0 ? 1 : 0],
  ] as const
  return uses.flatMap(([cap, used, perIteration]) => {
    const bound = caps[cap]
    if (bound === undefined || perIteration === 0) return []
    return [{ cap, iterations: Math.max(0, Math.ceil((bound - used) / perIteration)) }]
  })
}
