import { PawlError } from '../../../contract/exit.ts'
import type { View } from '../../../kernel/policy.ts'
import type { StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Mode } from '../../../run/mode.ts'
import { openRunAs } from '../../../run/open-run.ts'
import { foldRun } from '../../../run/read-run.ts'
import type { Run } from '../../../run/run.ts'
import { Plan } from '../contract/plan.ts'
import { DeliveryRequest } from '../contract/request.ts'
import type { DeliveryResult } from '../contract/result.ts'
import { deliveryData } from '../core/event-data.ts'
import type { DeliveryMemo } from '../core/memo.ts'
import { buildTerms, deliveryPolicy } from '../core/policy.ts'
import { deliveryReasons } from '../core/reasons.ts'
import { buildDeliveryResult } from '../core/result.ts'

/** Plans by the hash of their text. */
export type Plans = ReadonlyMap<string, Plan>
type Planned = Pick<Run<DeliveryRequest>, 'entry' | 'requests' | 'content'>

/** Loads every plan that the run's requests refer to. */
export async function loadPlans(run: Planned): Promise<Plans> {
  const plans = new Map<string, Plan>()
  for (const { request } of run.requests) {
    const { sha256 } = request.plan
    if (!plans.has(sha256)) plans.set(sha256, Plan.parse(JSON.parse(await readPlanText(run, request.plan))))
  }
  return plans
}

/** Returns the exact text, because the hash covers it. */
export async function readPlanText({ content, entry }: Planned, plan: DeliveryRequest['plan']): Promise<string> {
  try {
    return Buffer.from(await content.get(plan)).toString('utf8')
  } catch {
    const what = `${entry.address}/${plan.path} is not the plan of this run`
    throw new PawlError(30, what, 'Restore the file, or start a new run.')
  }
}

/** The part of the mode needed to read a run. */
export const deliveryReader = {
  name: 'delivery',
  request: DeliveryRequest,
  data: deliveryData,
  reasons: deliveryReasons,
  sealedBy: () => undefined,
  load: loadPlans,
  policy: ({ request, envelope }, plans) => deliveryPolicy(buildTerms(request, plans), envelope.caps),
} as const satisfies Partial<Mode<DeliveryRequest, Plans, DeliveryMemo, never>>

/** Undefined if the run is not a delivery. Throws a PawlError if it cannot be read. */
export async function openDelivery(machine: Machine, stored: StoredRun): Promise<Run<DeliveryRequest> | undefined> {
  if (stored.entry.mode !== deliveryReader.name) return undefined
  return openRunAs(deliveryReader, stored, machine)
}

export const currentPlan = (plans: Plans, { memo }: View<DeliveryMemo>): Plan => plans.get(memo.plan)!

export type ReadDelivery = {
  readonly plans: Plans
  readonly view: View<DeliveryMemo>
  readonly result: DeliveryResult
}

/** Returns the current state of a delivery from its journal, also while it is running. */
export async function readDelivery(run: Run<DeliveryRequest>): Promise<ReadDelivery> {
  const plans = await loadPlans(run)
  const view = await foldRun(deliveryReader, run, plans)
  return { plans, view, result: standingResult(run.entry.id, plans, view) }
}

/** Returns the result of a run that may not have ended. */
export const standingResult = (run: string, plans: Plans, view: View<DeliveryMemo>): DeliveryResult =>
  buildDeliveryResult({
    run,
    plan: currentPlan(plans, view),
    left: { status: view.state.ended ? 'ended' : 'interrupted', view },
    exit: 0,
    sandbox: null,
  })
