import { basename } from 'node:path'
import { dialectOf, dialects, isAgentName } from '../adapters/agents/dialects.ts'
import { knownAgents } from '../adapters/agents/known.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import type { Agent } from '../ports/agent.ts'
import type { Agents, AgentTools, Environment, Machine } from '../run/machine.ts'
import { chooseAgent, commandOf } from './choose-agent.ts'
import { forgetLimit, shareLimits } from './limits.ts'

/** The agents that can be started from here. */
export function openAgents(environment: Environment, shared: Machine['shared']): Agents {
  return {
    names: Object.keys(dialects),
    choose: chooseAgent,
    reportsCost: (name) =>
      name === 'command' || name === 'acp'
        ? undefined
        : name === 'scripted' || (isAgentName(name) && knownAgents[name].reports.costUsd),
    open: (agent, tools) => openAgent(agent, tools, environment, shared),
    forgetLimit: (name) => forgetLimit(environment, shared, name),
  }
}

/** The agent of a run: the frozen command, understood in its own dialect, asking nobody in vain. */
function openAgent(
  agent: FrozenAgent,
  { shell, content, environmentFor, silenceMs }: AgentTools,
  environment: Environment,
  shared: Machine['shared'],
): Agent {
  const dialect = dialectOf(agent.name)
  const open = async (): Promise<Agent> => {
    const { createCommandAgent } = await import('../adapters/agents/command.ts')
    const { readerOf } = await import('../adapters/agents/readers.ts')
    return createCommandAgent(shell, content, {
      name: agent.name,
      argv: commandOf(agent, (await shell.confinement()) === 'bubblewrap'),
      env: environmentFor(dialect?.env),
      silenceMs,
      now: Date.now,
      newReader: readerOf(agent.name),
      capArgs: dialect?.capArgs,
    })
  }
  let opened: Promise<Agent> | undefined
  const lazy: Agent = {
    name: agent.name,
    run: async (request, signal) => {
      opened ??= open()
      return (await opened).run(request, signal)
    },
  }
  return shareLimits(hintLogin(lazy, agent.argv[0]), environment, shared, Date.now)
}

/** An agent that is not logged in says so in its own words; what would help is said beside them. */
function hintLogin(agent: Agent, program: string): Agent {
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
