import { join } from 'node:path'
import type { PawlError } from '../../../contract/exit.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import { isFault, toPawlError } from '../../../run/errors.ts'
import type { Machine } from '../../../run/machine.ts'
import type { DeliveryResult } from '../contract/result.ts'
import { ContractError, DeliveryError } from './input/contract-error.ts'
import { openDelivery, readDelivery } from './open-delivery.ts'
import { outDirOwned } from './out-dir.ts'

/** Writes the error to `result.json` for the control plane, unless another process owns the out-dir. */
export async function writeRefusal(
  machine: Machine,
  dir: string,
  thrown: unknown,
  run: string,
): Promise<DeliveryResult | undefined> {
  const error = toPawlError(thrown)
  if (error.exit === 2) return undefined
  const stored = await findStored(machine, dir)
  const refusal = { ...buildRefusal(error, run), ...(await readStanding(machine, stored, run)) }
  if (error instanceof DeliveryError && error.code === outDirOwned) return refusal
  try {
    machine.files.makeFolder(dir)
    if (!(await stored?.owner())) machine.files.write(join(dir, 'result.json'), `${JSON.stringify(refusal, null, 2)}\n`)
  } catch {
    // The out-dir is unusable: the exit code has to do.
  }
  return refusal
}

async function findStored({ store }: Machine, dir: string): Promise<StoredRun | undefined> {
  try {
    return await store.open(dir)
  } catch {
    return undefined
  }
}

type Standing = Pick<DeliveryResult, 'stories' | 'summary' | 'run_verification' | 'seq' | 'spend'>

const emptyStanding: Standing = {
  stories: [],
  summary: { completed: 0, failed: 0, skipped: 0, pending: 0, blocked: 0 },
  run_verification: 'not_run',
  seq: 0,
  spend: { attempts: 0, tokens: 0, cost_usd: 0, unknown_calls: 0, active_ms: 0, wait_ms: 0 },
}

/** Finished stories stay in the result, although the run may not resume now. */
async function readStanding(machine: Machine, stored: StoredRun | undefined, run: string): Promise<Standing> {
  try {
    const delivery = stored?.entry.id === run ? await openDelivery(machine, stored) : undefined
    if (!delivery) return emptyStanding
    const { stories, summary, run_verification, seq, spend } = (await readDelivery(delivery)).result
    return { stories, summary, run_verification, seq, spend }
  } catch {
    return emptyStanding
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

/** Maps errors to the fewer codes of the contract. */
function chooseCode(error: PawlError): string {
  if (error instanceof ContractError) return 'invalid_contract'
  if (error instanceof DeliveryError) return error.code
  if (isFault(error)) return 'internal'
  return error.exit === 10 ? 'blocked' : error.exit === 20 ? 'not_saved' : 'refused'
}
