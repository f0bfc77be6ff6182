import { mkdirSync } from 'node:fs'
import { livingOwner } from '../../../adapters/stores/files/lease.ts'
import type { PawlError } from '../../../contract/exit.ts'
import { asPawlError, isFault } from '../../../run/known-errors.ts'
import { writeResult } from '../../../run/result.ts'
import type { DeliveryResult } from '../contract/result.ts'
import { ContractError } from './input/contract-error.ts'
import { DeliveryError } from './input/delivery-error.ts'
import { outDirOwned } from './own-repository.ts'
import { deliveryOf } from './stories.ts'

/** A control plane that was refused finds out from `result.json` as well, unless somebody else owns what lies there. */
export function writeRefusal(dir: string, thrown: unknown, run: string): DeliveryResult | undefined {
  const error = asPawlError(thrown)
  if (error.exit === 2) return undefined
  const refusal = { ...refusalOf(error, run), ...standingOf(dir, run) }
  if (error instanceof DeliveryError && error.code === outDirOwned) return refusal
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 })
    if (!livingOwner(dir)) writeResult(dir, refusal)
  } catch {
    // An out-dir that cannot be used takes no result either: the exit code says it.
  }
  return refusal
}

type Standing = Pick<DeliveryResult, 'stories' | 'summary' | 'run_verification' | 'seq' | 'spend'>

const nothing: Standing = {
  stories: [],
  summary: { completed: 0, failed: 0, skipped: 0, pending: 0, blocked: 0 },
  run_verification: 'not_run',
  seq: 0,
  spend: { attempts: 0, tokens: 0, cost_usd: 0, unknown_calls: 0, active_ms: 0, wait_ms: 0 },
}

/** What a run has done stays done, although it may not go on now. */
function standingOf(dir: string, run: string): Standing {
  try {
    const result = deliveryOf(dir)
    if (result?.run_id !== run) return nothing
    const { stories, summary, run_verification, seq, spend } = result
    return { stories, summary, run_verification, seq, spend }
  } catch {
    return nothing
  }
}

function refusalOf(error: PawlError, run: string): Omit<DeliveryResult, keyof Standing> {
  const contract = error instanceof ContractError
  const reason = error instanceof DeliveryError ? error.reason : contract ? 'plan_generation_failed' : null
  const pointer = contract || error instanceof DeliveryError ? error.pointer : undefined
  const blocked = error.exit === 10
  return {
    contract_version: 1,
    run_id: run,
    status: blocked ? 'blocked' : 'failed',
    reason: reason ?? (blocked ? 'blocked_dependency' : null),
    next_action: blocked ? 'unblock' : error.exit === 20 ? 'retry' : 'fix_spec',
    detail: error.hint ? `${error.message}${/[.?!]$/.test(error.message) ? '' : '.'} ${error.hint}` : error.message,
    exit: error.exit,
    error: { code: codeOf(error), message: error.message, ...(pointer !== undefined && { pointer }) },
    sandbox: null,
  }
}

function codeOf(error: PawlError): string {
  if (error instanceof ContractError) return 'invalid_contract'
  if (error instanceof DeliveryError) return error.code
  if (isFault(error)) return 'internal'
  return error.exit === 10 ? 'blocked' : error.exit === 20 ? 'not_saved' : 'refused'
}
