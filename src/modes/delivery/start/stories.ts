import type { RunRequest } from '../../../contract/request.ts'
import { foldEvents } from '../../../kernel/step.ts'
import { readFrozenRequest } from '../../../run/frozen-request.ts'
import { eventsOf } from '../../../run/read-run.ts'
import type { DeliveryResult, StoryResult } from '../contract/result.ts'
import { deliveryResult } from '../core/result.ts'
import { deliveryPolicyOf } from '../mode.ts'
import { plansOf } from './plans.ts'

/** How a delivery stands, from its journal alone, whoever runs it. undefined: it is none. */
export function deliveryOf(dir: string): DeliveryResult | undefined {
  const original = requestIn(dir)
  if (original?.mode !== 'delivery') return undefined
  const view = foldEvents(eventsOf(dir), deliveryPolicyOf(original, dir))
  const plan = plansOf(dir).get(view.memo.plan)!
  const status = view.state.ended ? 'ended' : 'interrupted'
  return deliveryResult({ run: original.run_id, plan, left: { status, view }, exit: 0, sandbox: null })
}

export const storiesOf = (dir: string): readonly StoryResult[] => deliveryOf(dir)?.stories ?? []

/** One that is gone or was changed takes only its words along. */
function requestIn(dir: string): RunRequest | undefined {
  try {
    return readFrozenRequest(dir).original
  } catch {
    return undefined
  }
}
