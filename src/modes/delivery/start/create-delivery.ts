import type { NewRun, StoredRun } from '../../../ports/run-store.ts'
import type { Machine } from '../../../run/machine.ts'
import { requestText } from '../../../run/new-run.ts'
import { type UnplannedEnvelope, withPlan } from './request.ts'

/** Makes a run that nobody owns yet. */
export function createDelivery(
  { store }: Machine,
  envelope: UnplannedEnvelope,
  planText: string,
  where: Pick<NewRun, 'at' | 'listed'>,
): Promise<StoredRun> {
  const { run_id: id, mode, name, workspace, created } = envelope
  const freeze: NewRun['freeze'] = async (content) => {
    const plan = await content.put('plan.json', planText)
    return { request: requestText(withPlan(envelope, plan)) }
  }
  return store.create({ entry: { id, mode, name, workspace, created }, freeze, ...where })
}
