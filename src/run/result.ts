import { join } from 'node:path'
import { readPlain, realDisk, writeWhole } from '../adapters/stores/files/disk.ts'
import type { Left } from '../kernel/policy.ts'
import { type Spend, spendOf } from '../show/spend.ts'
import { exitOf } from './exit-of.ts'
import type { Reasons } from './mode.ts'

export type RunResult = {
  readonly contract_version: 1
  readonly run_id: string
  readonly seq: number
  readonly status: string
  readonly reason: string | null
  readonly exit: number
  readonly spend: Spend
}

export function resultOf(run: string, reasons: Reasons, left: Left<unknown>, signal: string | undefined): RunResult {
  const { state } = left.view
  const reason = state.ended?.reason ?? (left.status === 'unsaved' ? String((left.error as Error).message) : null)
  return {
    contract_version: 1,
    run_id: run,
    seq: state.seq,
    status: state.ended?.ending ?? left.status,
    reason,
    exit: exitOf(reasons, left, signal),
    spend: spendOf(state),
  }
}

/** Up to which event the last result goes; 0 where there is none. */
export function resultSeq(dir: string): number {
  try {
    const { seq } = JSON.parse(readPlain(realDisk, join(dir, 'result.json'), 1 << 20)) as { seq?: unknown }
    return typeof seq === 'number' ? seq : 0
  } catch {
    return 0
  }
}

/** A projection: written when the run leaves, stamped with `seq`, never the truth. */
export function writeResult(dir: string, result: Readonly<Record<string, unknown>>): void {
  try {
    writeWhole(realDisk, join(dir, 'result.json'), `${JSON.stringify(result, null, 2)}\n`)
  } catch {
    // The journal holds it all; the next open writes this again.
  }
}
