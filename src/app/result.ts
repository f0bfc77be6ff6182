import { join } from 'node:path'
import { realDisk, writeWhole } from '../adapters/files/disk.ts'
import type { RunRequest } from '../contract/request.ts'
import type { Left } from '../kernel/policy.ts'
import type { LoopState } from '../kernel/state.ts'
import { exitOf } from './exit-of.ts'
import { type Spend, spendOf } from './spend.ts'

export type RunResult = {
  readonly contract_version: 1
  readonly run_id: string
  readonly seq: number
  readonly status: string
  readonly reason: string | null
  readonly exit: number
  readonly spend: Spend
}

export function resultOf(request: Pick<RunRequest, 'run_id'>, state: LoopState, left: Left<unknown>): RunResult {
  const reason = state.ended?.reason ?? (left.status === 'unsaved' ? String((left.error as Error).message) : null)
  return {
    contract_version: 1,
    run_id: request.run_id,
    seq: state.seq,
    status: state.ended?.ending ?? left.status,
    reason,
    exit: exitOf(left),
    spend: spendOf(state),
  }
}

/** A projection: written when the run leaves, stamped with `seq`, never the truth. */
export function writeResult(dir: string, request: RunRequest, state: LoopState, left: Left<unknown>): void {
  try {
    writeWhole(realDisk, join(dir, 'result.json'), `${JSON.stringify(resultOf(request, state, left), null, 2)}\n`)
  } catch {
    // The journal holds it all; the next open writes this again.
  }
}
