import type { Caps } from '../contract/values.ts'
import type { LoopState } from '../kernel/state.ts'

/** How much of each cap a run has used. `of` is null if there is no cap. */
export type Spend = Readonly<Record<'tasks' | 'attempts' | 'tokens' | 'costUsd' | 'activeMs' | 'waitMs', Used>>
type Used = {
  readonly used: number
  readonly of: number | null
  readonly atLeast?: true
  /** Contains estimates, for example of attempts that crashed. */
  readonly estimated?: true
}

export function summarizeSpend(state: LoopState): Spend {
  const { caps } = state
  const unknown = {
    ...(state.unknownCalls > 0 && { atLeast: true as const }),
    ...(state.estimatedCalls > 0 && { estimated: true as const }),
  }
  const used = (amount: number, cap: number | undefined): Used => ({ used: amount, of: cap ?? null })
  return {
    tasks: used(state.tasks, caps.tasks),
    attempts: used(state.attempts, caps.attemptsPerRun),
    tokens: { ...used(state.tokens, caps.tokens), ...unknown },
    costUsd: { ...used(state.costUsd, caps.costUsd), ...unknown },
    activeMs: used(state.activeMs, caps.activeMs),
    waitMs: used(state.waitMs, caps.waitMs),
  }
}

const perRun = {
  tasks: 'tasks',
  attemptsPerRun: 'attempts',
  tokens: 'tokens',
  overheadTokens: 'overheadTokens',
  costUsd: 'costUsd',
  activeMs: 'activeMs',
  waitMs: 'waitMs',
  escalations: 'escalations',
} as const satisfies Partial<Record<keyof Caps, keyof LoopState>>

/** Caps that cost money to raise: only a person raises them, with a flag. */
const moneyCaps = ['costUsd', 'tokens', 'overheadTokens'] as const satisfies readonly (keyof Caps)[]

/** Returns the caps on money that a run has spent. */
export const listSpentMoney = (state: LoopState): readonly (typeof moneyCaps)[number][] =>
  moneyCaps.filter((cap) => state[cap] >= (state.caps[cap] ?? Infinity))

/** Raises each spent cap by its original value, for a reopened run. Counters stay. */
export function reopenedCaps(state: LoopState, original: Caps): Caps {
  const raised: Partial<Record<keyof Caps, number>> = {}
  for (const [cap, counter] of Object.entries(perRun) as [
    keyof typeof perRun,
    (typeof perRun)[keyof typeof perRun],
  ][]) {
    const bound = original[cap]
    if (bound !== undefined && state[counter] >= (state.caps[cap] ?? Infinity)) raised[cap] = state[counter] + bound
  }
  return raised
}
