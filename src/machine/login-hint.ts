import { basename } from 'node:path'
import { isAgentName } from '../adapters/agents/dialects.ts'
import { knownAgents } from '../adapters/agents/known.ts'
import type { Agent } from '../ports/agent.ts'

/** An agent that is not logged in says so in its own words; what would help is said beside them. */
export function hintingLogin(agent: Agent, program: string): Agent {
  const name = basename(program)
  const hint = isAgentName(name) ? knownAgents[name].login.how : `run ${name} by hand, and log in there`
  return {
    name: agent.name,
    async run(request, signal) {
      const report = await agent.run(request, signal)
      if (report.fault !== 'login') return report
      return { ...report, detail: `not logged in (${report.detail ?? 'no detail'}): ${hint}` }
    },
  }
}
