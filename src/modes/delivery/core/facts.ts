import type { WorkFacts } from '../../../show/report/collect.ts'
import type { DeliveryResult } from '../contract/result.ts'

/** What `show --json` prints of a delivery. */
export type DeliveryFacts = WorkFacts & {
  readonly delivery: Pick<DeliveryResult, 'stories' | 'run_verification' | 'detail'>
  /** The page of the last attempt at the first story that did not come through. */
  readonly page: string | null
}
