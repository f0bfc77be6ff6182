import type { WorkFacts } from '../../../show/report/collect.ts'
import type { DeliveryResult } from '../contract/result.ts'

/** The facts that `show --json` prints for a delivery. */
export type DeliveryFacts = WorkFacts & {
  readonly delivery: Pick<DeliveryResult, 'stories' | 'run_verification' | 'still_red' | 'detail'>
  /** The page of the last attempt at the first unsuccessful story. */
  readonly page: string | null
}
