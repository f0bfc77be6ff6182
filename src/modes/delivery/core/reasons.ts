import { usualReasons } from '../../../show/reasons.ts'
import type { Reasons } from '../../../show/show.ts'
import { type Reason, reasonExits } from '../contract/result.ts'
import type { DeliveryMemo } from './memo.ts'

/** The contract's reasons as a person says them. */
const texts: Readonly<Record<Reason, string>> = {
  plan_generation_failed: 'there is no plan',
  agent_exit_nonzero: 'the agent failed in every attempt',
  agent_timeout: 'the agent ran out of time in every attempt',
  story_verification_failed: 'a verification command cannot pass',
  run_verification_failed: 'all stories are done, but the whole does not pass its verification',
  attempt_budget_exhausted: 'no attempt is left',
  run_timeout: 'the time of the run is up',
  blocked_dependency: 'something outside stands in the way',
}

export const deliveryReasons: Reasons<DeliveryMemo> = {
  ...usualReasons,
  ...Object.fromEntries(
    (Object.keys(texts) as Reason[]).map((code) => [code, { fields: {}, exit: reasonExits[code], text: texts[code] }]),
  ),
  all_done: { fields: {}, exit: 0, text: 'all stories are done and verified' },
  tampering_question: {
    fields: {},
    text: 'the attempt touched files that decide verification: accept or reject?',
  },
}
