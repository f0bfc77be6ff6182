import { join } from 'node:path'
import type { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { isFault, toPawlError } from '../../../run/errors.ts'
import type { Machine } from '../../../run/machine.ts'
import type { DeliveryResult } from '../contract/result.ts'
import { ContractError, DeliveryError } from './input/contract-error.ts'
import { openDelivery, readDelivery } from './open-delivery.ts'
import { outDirOwned } from './out-dir.ts'

/** A control plane that was refused finds out from `result.json` as well, unless somebody else owns what lies there. */
export async function writeRefusal(
  machine: Machine,
  dir: string,
  thrown: unknown,
  run: string,
): Promise<DeliveryResult | undefined> {
  const error = toPawlError(thrown)
  if (error.exit === 2) return undefined
  const stored = await storedAt(machine, dir)
  const refusal = { ...buildRefusal(error, run), ...(await readStanding(machine, stored, run)) }
  if (error instanceof DeliveryError && error.code === outDirOwned) return refusal
  try {
    machine.files.makeFolder(dir)
    if (!(await stored?.owner())) machine.files.write(join(dir, 'result.json'), `${JSON.stringify(refusal, null, 2)}\n`)
  } catch {
    // An out-dir that cannot be used takes no result either: the exit code says it.
  }
  return refusal
}

async function storedAt({ store }: Machine, dir: string): Promise<StoredRun | undefined> {
  try {
    return await store.open(dir)
  } catch {
    return undefined
  }
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
async function readStanding(machine: Machine, stored: StoredRun | undefined, run: string): Promise<Standing> {
  try {
    const delivery = stored?.entry.id === run ? await openDelivery(machine, stored) : undefined
    if (!delivery) return nothing
    const { stories, summary, run_verification, seq, spend } = await readDelivery(delivery)
    return { stories, summary, run_verification, seq, spend }
  } catch {
    return nothing
  }
}

function buildRefusal(error: PawlError, run: string): Omit<DeliveryResult, keyof Standing> {
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
    error: { code: chooseCode(error), message: error.message, ...(pointer !== undefined && { pointer }) },
    sandbox: null,
  }
}

/** The contract's codes: fewer than the program knows. */
function chooseCode(error: PawlError): string {
  if (error instanceof ContractError) return 'invalid_contract'
  if (error instanceof DeliveryError) return error.code
  if (isFault(error)) return 'internal'
  return error.exit === 10 ? 'blocked' : error.exit === 20 ? 'not_saved' : 'refused'
}
