import { agentFromFlags } from '../../../config/run-settings.ts'
import { PawlError } from '../../../contract/exit.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Amended, GivenChanges } from '../../../run/mode.ts'
import type { DeliveryRequest } from '../contract/request.ts'

/** Only the agent may change; the stories were planned and verified with everything else. */
export function amendDelivery(
  current: DeliveryRequest,
  { flags: { agent, aiCmd, model, until, context } }: GivenChanges,
  { agents }: Pick<Machine, 'agents'>,
): Amended<DeliveryRequest> {
  if (until !== undefined || (Array.isArray(context) && context.length > 0))
    throw new PawlError(2, '--until and --context only work with procedures')
  const another = agentFromFlags({ agent, aiCmd, model }, current.agent, agents.choose)
  const chosen = another ?? current.agent
  return {
    request: { ...current, agent: chosen },
    changes: another ? [`the agent is now ${another.argv.join(' ')}`] : [],
    terms: { agent: chosen.name },
    anotherAgent: another !== undefined,
  }
}
