import type { ExitCode } from '../../../contract/exit.ts'

/** Every reason why a refinement ends, with its exit code. Readers may rely on this list being complete. */
export const refineReasons = {
  threshold_met: 0,
  accepted_by_person: 0,
  empty_task: 30,
  retries_exhausted: 30,
  no_text: 30,
  escalations_exhausted: 30,
  plateau: 30,
  cycle: 30,
  contested: 30,
  iteration_cap: 30,
  token_budget: 30,
  overhead_budget: 30,
  cost_budget: 30,
  time_budget: 30,
  escalation_failed: 20,
  provider_unavailable: 20,
  judge_unavailable: 20,
  wait_budget: 20,
  interrupted_too_often: 20,
  login_needed: 10,
  model_missing: 10,
} as const satisfies Record<string, ExitCode>
export type RefineReason = keyof typeof refineReasons

export const isRefineReason = (code: string): code is RefineReason => Object.hasOwn(refineReasons, code)
