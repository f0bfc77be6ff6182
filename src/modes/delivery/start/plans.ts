import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain, realDisk } from '../../../adapters/stores/files/disk.ts'
import { PawlError } from '../../../contract/exit.ts'
import { RunRequest } from '../../../contract/request.ts'
import { sha256 } from '../../../judging/sha256.ts'
import { Plan } from '../contract/plan.ts'

const mostBytes = 64 << 20

/** Every plan that a run has gone by, by the hash of its file. The requests of the run name them. */
export function plansOf(dir: string): ReadonlyMap<string, Plan> {
  const plans = new Map<string, Plan>()
  for (const name of readdirSync(dir).filter((file) => /^request(?:\.[1-9][0-9]{0,6})?\.json$/.test(file))) {
    const request = RunRequest.safeParse(JSON.parse(readPlain(realDisk, join(dir, name), 1 << 20)))
    if (!request.success || request.data.mode !== 'delivery') continue
    const { plan } = request.data.delivery
    if (!plans.has(plan.sha256)) plans.set(plan.sha256, readKeptPlan(join(dir, plan.path), plan.sha256))
  }
  return plans
}

function readKeptPlan(path: string, hash: string): Plan {
  const text = readPlain(realDisk, path, mostBytes)
  if (sha256(text) !== hash) {
    throw new PawlError(30, `${path} is not the plan that this run goes by`, 'Put it back, or start a new run.')
  }
  return Plan.parse(JSON.parse(text))
}
