import { PawlError } from '../../../contract/exit.ts'
import type { Run } from '../../../run/run.ts'
import { Plan } from '../contract/plan.ts'
import type { DeliveryRequest } from '../contract/request.ts'

/** By the hash of its text. */
export type Plans = ReadonlyMap<string, Plan>
type Planned = Pick<Run<DeliveryRequest>, 'entry' | 'requests' | 'content'>

/** Every plan that a run has gone by: its requests name them. */
export async function loadPlans(run: Planned): Promise<Plans> {
  const plans = new Map<string, Plan>()
  for (const { request } of run.requests) {
    const { sha256 } = request.plan
    if (!plans.has(sha256)) plans.set(sha256, Plan.parse(JSON.parse(await readPlanText(run, request.plan))))
  }
  return plans
}

/** Its very bytes: another text would be another plan. */
export async function readPlanText({ content, entry }: Planned, plan: DeliveryRequest['plan']): Promise<string> {
  try {
    return Buffer.from(await content.get(plan)).toString('utf8')
  } catch {
    const what = `${entry.address}/${plan.path} is not the plan that this run goes by`
    throw new PawlError(30, what, 'Put it back, or start a new run.')
  }
}
