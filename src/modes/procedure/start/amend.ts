import { z } from 'zod'
import { agentFromFlags, valuesFromFlags } from '../../../config/run-settings.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Amended, GivenChanges } from '../../../run/mode.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { procedureSettings } from '../contract/settings.ts'
import type { AmendedTerms } from '../core/event-data.ts'
import { contextFromFlags } from './request.ts'

/** Flags that `resume` accepts. Their values are parsed like config values. */
const Changes = z
  .object({
    agent: z.unknown(),
    aiCmd: z.unknown(),
    model: z.unknown(),
    until: z.unknown(),
    context: z.array(z.string()),
  })
  .partial()

/** Applies the flags of `resume` to the request and describes each change. */
export function amendProcedure(
  current: ProcedureRequest,
  given: GivenChanges,
  { agents }: Pick<Machine, 'agents'>,
): Amended<ProcedureRequest> {
  const { context: contextFlags = [], until: untilFlag, ...agentFlags } = Changes.parse(given.flags)
  const another = agentFromFlags(agentFlags, current.agent, agents.choose)
  const { until = current.until } = valuesFromFlags(procedureSettings, { until: untilFlag })
  const context = contextFromFlags(contextFlags, given.cwd)
  const agent = another ?? current.agent
  const terms: AmendedTerms = { agent: agent.name, until }
  return {
    request: { ...current, agent, until, context: [...current.context, ...context] },
    changes: [
      ...(another ? [`the agent is now ${another.argv.join(' ')}`] : []),
      ...(until === current.until ? [] : [`until is now ${until}`]),
      ...(context.length ? ['context added'] : []),
    ],
    terms,
    anotherAgent: another !== undefined,
  }
}
