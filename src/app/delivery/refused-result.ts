import type { DeliveryResult } from '../../contract/delivery/result.ts'

export type Refusal = { readonly code: string; readonly message: string; readonly pointer?: string }

/** `result.json` of a run that never began because its specification cannot be planned. */
export const refusedResult = (runId: string, error: Refusal): DeliveryResult => ({
  contract_version: 1,
  run_id: runId,
  status: 'failed',
  reason: 'plan_generation_failed',
  stories: [],
  run_verification: 'not_run',
  summary: { completed: 0, failed: 0, skipped: 0, pending: 0, blocked: 0 },
  next_action: 'fix_spec',
  detail: error.message,
  exit: 30,
  seq: 0,
  error,
  spend: { attempts: 0, tokens: 0, cost_usd: 0, unknown_calls: 0, active_ms: 0, wait_ms: 0 },
  sandbox: null,
})
