import { isReason, type Reason } from '../contract/delivery/result.ts'
import { isRefineReason, type RefineReason } from '../contract/refinement/reasons.ts'
import type { CapName } from '../contract/values.ts'

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

/** The contract's reasons as a person says them. */
const reasons: Readonly<Record<Reason, string>> = {
  plan_generation_failed: 'there is no plan',
  agent_exit_nonzero: 'the agent failed in every attempt',
  agent_timeout: 'the agent ran out of time in every attempt',
  story_verification_failed: 'a verification command cannot pass',
  run_verification_failed: 'all stories are done, but the whole does not pass its verification',
  attempt_budget_exhausted: 'no attempt is left',
  run_timeout: 'the time of the run is up',
  blocked_dependency: 'something outside stands in the way',
}

const refineReasons: Readonly<Record<RefineReason, string>> = {
  threshold_met: 'every phase reached its score',
  accepted_by_person: 'a person accepted it',
  empty_task: 'there is no task',
  retries_exhausted: 'no retry is left, and it is not good enough yet',
  escalations_exhausted: 'the score stayed too low, and no escalation is left',
  plateau: 'two rounds brought nothing that could be told from chance (plateau)',
  cycle: 'a text came back that was there before (cycle)',
  contested: 'an issue came back twice after it was fixed: writer and judge do not agree (contested)',
  iteration_cap: 'all iterations are used',
  token_budget: 'the tokens are used up',
  overhead_budget: 'the tokens for judging and planning are used up',
  cost_budget: 'the money is spent',
  time_budget: 'the time is up',
  escalation_failed: 'the stronger models do not answer',
  provider_unavailable: 'no model answers',
  judge_unavailable: 'no judge gave a judgement that can be used',
  wait_budget: 'it would have to wait longer than it may',
  interrupted_too_often: 'interrupted or unavailable too many times in a row',
  login_needed: 'a key or a login is missing',
  model_missing: 'the model is not there',
}

const isBound = (name: string): name is CapName => Object.hasOwn(bounds, name)

export const settingOf = (by: string): string => (isBound(by) ? bounds[by].setting : by)

export function sayReason(reason: string): string {
  if (isReason(reason)) return reasons[reason]
  if (isRefineReason(reason)) return refineReasons[reason]
  const cap = reason.startsWith('cap spent: ') ? reason.slice('cap spent: '.length) : ''
  return isBound(cap) ? bounds[cap].spent : reason
}
