import type { Agent } from '../ports/agent.ts'
import type { Machine } from '../run/machine.ts'

/** Returns a machine with additional agents, by the name that a run is frozen with. */
export const withAgents = (machine: Machine, own: Readonly<Record<string, Agent>>): Machine => ({
  ...machine,
  findProgram: (name, cwd) => (Object.hasOwn(own, name) ? name : machine.findProgram(name, cwd)),
  agents: {
    ...machine.agents,
    open: (agent, tools) => (Object.hasOwn(own, agent.name) ? own[agent.name]! : machine.agents.open(agent, tools)),
  },
})
