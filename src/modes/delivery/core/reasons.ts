import type { Reasons } from '../../../run/mode.ts'
import { kernelReasons } from '../../../show/words.ts'
import { type Reason, reasonExits } from '../contract/result.ts'

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

export const deliveryReasons: Reasons = {
  ...kernelReasons,
  ...Object.fromEntries(
    (Object.keys(texts) as Reason[]).map((reason) => [reason, { exit: reasonExits[reason], text: texts[reason] }]),
  ),
}
