import type { CapName } from '../../../contract/values.ts'
import type { LoopState } from '../../../kernel/state.ts'
import type { RefineConfig } from '../contract/config.ts'

/** A bound and how much of it is used. */
export type RefineBound = {
  readonly name: 'iterations' | 'tokens' | 'time' | 'cost' | 'overhead'
  readonly used: number
  readonly of: number
  /** Above this a stronger model takes over, if an escalation is left. */
  readonly soft?: number
  /** Set if some calls did not report their usage. */
  readonly atLeast?: true
}

/** Usage so far of the running call. */
export type OpenCall = { readonly role: string; readonly tokens: number }

/** Lists the bounds in force, the most familiar first. */
export function listBounds(state: LoopState, rules: RefineConfig, open?: OpenCall): RefineBound[] {
  const { caps } = state
  const apart = rules.counts === 'generator' && open?.role !== 'generate' && open?.role !== 'single-shot'
  const [tokens, overhead] = apart ? [0, open?.tokens ?? 0] : [open?.tokens ?? 0, 0]
  const atLeast = state.unknownCalls > 0 ? ({ atLeast: true } as const) : {}
  const maxTokens = caps.tokens ?? rules.tokens
  const soft = state.escalations < rules.escalations &&
    rules.escalateTokens < maxTokens && { soft: rules.escalateTokens }
  const isApart = rules.counts === 'generator' || state.overheadTokens > 0
  const maxOverhead = isApart ? (caps.overheadTokens ?? rules.overheadTokens) : undefined
  return [
    { name: 'iterations' as const, used: state.attempts, of: caps.attemptsPerRun ?? rules.iterations },
    { name: 'tokens' as const, used: state.tokens + tokens, of: maxTokens, ...soft, ...atLeast },
    ...bound('time', state.activeMs, caps.activeMs),
    ...bound('cost', state.costUsd, caps.costUsd).map((cost) => ({ ...cost, ...atLeast })),
    ...bound('overhead', state.overheadTokens + overhead, maxOverhead),
  ]
}

const bound = (name: RefineBound['name'], used: number, of: number | undefined): RefineBound[] =>
  of === undefined ? [] : [{ name, used, of }]

/** The kernel's cap behind each bound. */
export const boundCaps: Readonly<Record<RefineBound['name'], CapName>> = {
  iterations: 'attemptsPerRun',
  tokens: 'tokens',
  overhead: 'overheadTokens',
  cost: 'costUsd',
  time: 'activeMs',
}

export type FirstBound = {
  readonly name: RefineBound['name']
  /** Iterations left, including the running one. Estimated from the average, except for the iteration bound. */
  readonly iterations: number
}

/** Estimates which bound is reached first, and when a stronger model takes over if that is sooner. */
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
