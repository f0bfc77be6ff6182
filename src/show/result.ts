import type { ExitCode } from '../contract/exit.ts'
import type { Reason } from '../contract/reasons.ts'
import type { Left } from '../kernel/policy.ts'
import { type Spend, summarizeSpend } from './spend.ts'

/** The part of `result.json` common to all modes. */
export type RunResult = {
  readonly contract_version: 1
  readonly run_id: string
  /** The last event it includes. */
  readonly seq: number
  readonly status: string
  readonly reason: Reason | null
  /** The reason as a sentence. */
  readonly says: string | null
  /** Set if the run could not be saved. */
  readonly error?: string
  readonly exit: ExitCode
  readonly spend: Spend
}

export function resultBase(
  run: string,
  left: Left<unknown>,
  exit: ExitCode,
  format: (reason: Reason) => string,
): RunResult {
  const { state } = left.view
  const reason = state.ended?.reason ?? null
  return {
    contract_version: 1,
    run_id: run,
    seq: state.seq,
    status: state.ended?.ending ?? left.status,
    reason,
    says: reason && format(reason),
    ...(left.status === 'unsaved' && { error: String((left.error as Error).message) }),
    exit,
    spend: summarizeSpend(state),
  }
}
