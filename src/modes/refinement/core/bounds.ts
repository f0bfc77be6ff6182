import type { CapName } from '../../../contract/values.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { RefineConfig } from '../contract/config.ts'

/** What a refinement used of what it may. */
export type RefineBound = {
  readonly name: 'iterations' | 'tokens' | 'time' | 'cost' | 'overhead'
  readonly used: number
  readonly of: number
  /** From here on a stronger model takes over, where one still can. */
  readonly soft?: number
  /** Not every call told what it used. */
  readonly atLeast?: true
}

/** What the call that runs has used so far. */
export type OpenCall = { readonly role: string; readonly tokens: number }

/** Every bound that holds, in the order in which people think of them. */
export function listBounds(state: LoopState, rules: RefineConfig, open?: OpenCall): RefineBound[] {
  const { caps } = state
  const apart = rules.counts === 'generator' && open?.role !== 'generate' && open?.role !== 'single-shot'
  const [tokens, overhead] = apart ? [0, open?.tokens ?? 0] : [open?.tokens ?? 0, 0]
  const told = state.unknownCalls > 0 ? ({ atLeast: true } as const) : {}
  const most = caps.tokens ?? rules.tokens
  const soft = state.escalations < rules.escalations && rules.escalateTokens < most && { soft: rules.escalateTokens }
  const isApart = rules.counts === 'generator' || state.overheadTokens > 0
  const overheadMost = isApart ? (caps.overheadTokens ?? rules.overheadTokens) : undefined
  return [
    { name: 'iterations' as const, used: state.attempts, of: caps.attemptsPerRun ?? rules.iterations },
    { name: 'tokens' as const, used: state.tokens + tokens, of: most, ...soft, ...told },
    ...bound('time', state.activeMs, caps.activeMs),
    ...bound('cost', state.costUsd, caps.costUsd).map((cost) => ({ ...cost, ...told })),
    ...bound('overhead', state.overheadTokens + overhead, overheadMost),
  ]
}

const bound = (name: RefineBound['name'], used: number, of: number | undefined): RefineBound[] =>
  of === undefined ? [] : [{ name, used, of }]

/** The cap that each bound is. */
export const boundCaps: Readonly<Record<RefineBound['name'], CapName>> = {
  iterations: 'attemptsPerRun',
  tokens: 'tokens',
  overhead: 'overheadTokens',
  cost: 'costUsd',
  time: 'activeMs',
}

export type FirstBound = {
  readonly name: RefineBound['name']
  /** How many iterations are left with the one that runs; exact for what counts iterations, else from the average. */
  readonly iterations: number
}

/** Pure: which bound ends it first if it goes on as it did, and when a stronger model takes over if that is sooner. */
export function firstToFire(
  bounds: readonly RefineBound[],
  iterations: number,
): { readonly end: FirstBound | undefined; readonly stronger: FirstBound | undefined } {
  const left = ({ name, used }: RefineBound, of: number): number | undefined => {
    if (name === 'iterations') return Math.max(0, of - used)
    return iterations > 0 && used > 0 ? Math.max(0, Math.ceil((of - used) / (used / iterations))) : undefined
  }
  const fires = (bound: RefineBound, of: number | undefined): FirstBound[] => {
    const count = of === undefined ? undefined : left(bound, of)
    return count === undefined ? [] : [{ name: bound.name, iterations: count }]
  }
  const sooner = (a: FirstBound, b: FirstBound): number => a.iterations - b.iterations
  const end = bounds.flatMap((bound) => fires(bound, bound.of)).sort(sooner)[0]
  const stronger = bounds.flatMap((bound) => fires(bound, bound.soft))[0]
  return { end, stronger: stronger && end && stronger.iterations < end.iterations ? stronger : undefined }
}
