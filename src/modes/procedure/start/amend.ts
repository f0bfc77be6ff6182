import { z } from 'zod'
import { agentFromFlags, valuesFromFlags } from '../../../config/run-settings.ts'
import type { Machine } from '../../../run/machine.ts'
import type { Amended, GivenChanges } from '../../../run/mode.ts'
import type { ProcedureRequest } from '../contract/request.ts'
import { procedureSettings } from '../contract/settings.ts'
import type { AmendedTerms } from '../core/event-data.ts'
import { contextFromFlags } from './request.ts'

/** What `resume` may change in a procedure. Values are checked as those of the configuration are. */
const Changes = z
  .object({
    agent: z.unknown(),
    aiCmd: z.unknown(),
    model: z.unknown(),
    until: z.unknown(),
    context: z.array(z.string()),
  })
  .partial()

/** The request with what a person changes on going on, and each change in a few words. */
export function amendProcedure(
  current: ProcedureRequest,
  given: GivenChanges,
  { agents }: Pick<Machine, 'agents'>,
): Amended<ProcedureRequest> {
  const { context: said = [], until: saidUntil, ...named } = Changes.parse(given.flags)
  const another = agentFromFlags(named, current.agent, agents.choose)
  const { until = current.until } = valuesFromFlags(procedureSettings, { until: saidUntil })
  const context = contextFromFlags(said, given.cwd)
  const agent = another ?? current.agent
  const terms: AmendedTerms = { agent: agent.name, until }
  return {
    request: { ...current, agent, until, context: [...current.context, ...context] },
    changes: [
      ...(another ? [`the agent is now ${another.argv.join(' ')}`] : []),
      ...(until === current.until ? [] : [`it now ends: ${until}`]),
      ...(context.length ? ['more context'] : []),
    ],
    terms,
    anotherAgent: another !== undefined,
  }
}
