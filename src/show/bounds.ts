import type { Bound } from '../contract/show.ts'
import type { CapName } from '../contract/values.ts'
import type { LoopState } from '../kernel/state.ts'

type Counted = { readonly unit: Bound['unit']; readonly name: string; readonly used: (state: LoopState) => number }

/** Bounds of a whole run, in the order in which people ask about them. */
const counted: Partial<Record<CapName, Counted>> = {
  tasks: { unit: 'count', name: 'iterations', used: ({ tasks }) => tasks },
  attemptsPerRun: { unit: 'count', name: 'attempts', used: ({ attempts }) => attempts },
  activeMs: { unit: 'ms', name: 'time', used: ({ activeMs }) => activeMs },
  costUsd: { unit: 'usd', name: 'cost', used: ({ costUsd }) => costUsd },
  tokens: { unit: 'tokens', name: 'tokens', used: ({ tokens }) => tokens },
  failuresInARow: { unit: 'count', name: 'failures in a row', used: ({ failuresInARow }) => failuresInARow },
  waitMs: { unit: 'ms', name: 'waiting', used: ({ waitMs }) => waitMs },
}

/** How much of each bound is used. `names` says what a mode calls it otherwise: its tasks are stories. */
export function usualBounds(state: LoopState, names: Partial<Record<CapName, string>> = {}): Bound[] {
  const reason = state.ended?.reason
  return (Object.entries(counted) as [CapName, Counted][]).flatMap(([cap, { unit, name, used }]) => {
    const of = state.caps[cap]
    if (of === undefined) return []
    const atLeast = state.unknownCalls > 0 && (unit === 'usd' || unit === 'tokens')
    const fired = reason?.code === 'cap_spent' && reason.cap === cap
    return [
      {
        cap,
        name: names[cap] ?? name,
        used: used(state),
        of,
        unit,
        ...(atLeast && { atLeast: true as const }),
        ...(fired && { fired: true as const }),
      },
    ]
  })
}
