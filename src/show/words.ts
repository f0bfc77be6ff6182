import type { CapName } from '../contract/values.ts'
import type { Reasons } from '../run/mode.ts'

/** The kernel's bounds in the words of the configuration: what a person set, and can set otherwise. */
const bounds: Readonly<Record<CapName, { readonly setting: string; readonly spent: string }>> = {
  tasks: { setting: 'max_iterations', spent: 'all iterations are used' },
  attemptsPerTask: { setting: 'attempts per task', spent: 'the task has no attempt left' },
  attemptsPerRun: { setting: 'attempts per run', spent: 'the run has no attempt left' },
  tokens: { setting: 'max_tokens', spent: 'the tokens are used up' },
  overheadTokens: { setting: 'overhead_tokens', spent: 'the tokens for judging and planning are used up' },
  costUsd: { setting: 'max_cost', spent: 'the money is spent' },
  activeMs: { setting: 'max_time', spent: 'the time is up' },
  taskMs: { setting: 'time per task', spent: 'the time for this task is up' },
  attemptMs: { setting: 'attempt_timeout', spent: 'the time for this attempt is up' },
  waitMs: { setting: 'max_wait', spent: 'it would have to wait longer than it may' },
  failuresInARow: { setting: 'failure_threshold', spent: 'too many failures in a row' },
  interruptionsInARow: {
    setting: 'interruptions in a row',
    spent: 'interrupted or unavailable too many times in a row',
  },
  escalations: { setting: 'escalations', spent: 'no escalation is left' },
}

const isBound = (name: string): name is CapName => Object.hasOwn(bounds, name)

export const settingOf = (by: string): string => (isBound(by) ? bounds[by].setting : by)

/** Bounds that say "come back later" rather than "this cannot work". */
const later: readonly CapName[] = ['interruptionsInARow', 'waitMs']

/** The kernel's own reasons. Every mode has them, and may say some of them otherwise. */
export const kernelReasons: Reasons = Object.fromEntries(
  (Object.keys(bounds) as CapName[]).map((cap) => [
    `cap spent: ${cap}`,
    { exit: later.includes(cap) ? (20 as const) : (30 as const), text: bounds[cap].spent },
  ]),
)

export const sayReason = (reasons: Reasons, reason: string): string =>
  (Object.hasOwn(reasons, reason) ? reasons[reason]!.text : undefined) ?? reason
