import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { dialects, findDialect, isAgentName } from '../adapters/agents/dialects.ts'
import { knownAgents } from '../adapters/agents/known.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import { PawlError } from '../contract/exit.ts'
import { findNearest } from '../contract/nearest.ts'
import { splitCommand } from '../contract/split-command.ts'
import { ownProgram } from '../installation.ts'
import type { Agent, AgentReport } from '../ports/agent.ts'
import type { AgentChoice, Agents, AgentTools, Environment, Machine } from '../run/machine.ts'

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
  const dialect = findDialect(agent.name)
  const open = async (): Promise<Agent> => {
    const { createCommandAgent } = await import('../adapters/agents/command.ts')
    const { findReader } = await import('../adapters/agents/readers.ts')
    return createCommandAgent(shell, content, {
      name: agent.name,
      argv: buildAgentArgv(agent, (await shell.confinement()) === 'bubblewrap'),
      env: environmentFor(dialect?.env),
      silenceMs,
      now: Date.now,
      newReader: findReader(agent.name),
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
  return createLimitSharing(hintLogin(lazy, agent.argv[0]), environment, shared, Date.now)
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

type Shared = Machine['shared']

/**
 * A usage limit belongs to an account, not to a run: what one run has learned of it keeps all runs of this person on
 * that account from asking in vain. A success, or a person who will not wait, forgets it.
 */
export function createLimitSharing(agent: Agent, environment: Environment, shared: Shared, now: () => number): Agent {
  const id = limitId(environment, agent.name)
  if (id === undefined) return agent
  return {
    name: agent.name,
    async run(request, signal) {
      const until = await readLimit(shared, id)
      if (until > now() && until < now() + longestMs) return limited(until)
      const report = await agent.run(request, signal)
      if (report.fault === 'limit' && report.retryAt !== undefined)
        await shared.put('limits', id, { until: report.retryAt })
      if (report.status === 'ok') await shared.put('limits', id, undefined)
      return report
    },
  }
}

export async function forgetLimit(environment: Environment, shared: Shared, agent: string): Promise<void> {
  const id = limitId(environment, agent)
  if (id !== undefined) await shared.put('limits', id, undefined)
}

/** Only of agents known by name is it known whose account they use. */
function limitId({ home, env }: Environment, agent: string): string | undefined {
  if (!isAgentName(agent)) return undefined
  const account = [home, ...accountVariables.map((name) => env[name] ?? '')].join('\0')
  return `${agent}-${createHash('sha256').update(account).digest('hex').slice(0, 16)}`
}

const accountVariables = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CONFIG_DIR',
  'CODEX_API_KEY',
  'CODEX_HOME',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'XDG_DATA_HOME',
]

const limited = (until: number): AgentReport => ({
  status: 'unavailable',
  fault: 'limit',
  retryAt: until,
  detail: 'the usage limit of this account is known from another run',
  exitCode: null,
  usage: { tokens: 0, costUsd: 0 },
  providerMs: 0,
  denied: 0,
  lastMessage: '',
})

/** The longest limits of subscriptions are a week; what is longer each run finds out by itself. */
const longestMs = 8 * 86_400_000

async function readLimit(shared: Shared, id: string): Promise<number> {
  const known = (await shared.get('limits', id)) as { readonly until?: unknown } | null | undefined
  return typeof known?.until === 'number' ? known.until : 0
}

/** The command that a run is frozen with. */
function chooseAgent({ command, agent, model, script }: AgentChoice): FrozenAgent {
  if (command !== undefined) return { name: 'command', argv: splitCommand(command) }
  if (agent === undefined) {
    throw new PawlError(
      10,
      'no agent is configured',
      'Set agent or ai_cmd in .pawl/config.yml, or give --agent <name>.',
    )
  }
  if (agent === 'scripted') return { name: agent, argv: scriptedAgent(script) }
  if (agent.startsWith(acp)) return { name: 'acp', argv: splitCommand(agent.slice(acp.length), 'agent') }
  if (isAgentName(agent)) return { name: agent, argv: withModel(agent, model) }
  const known = [...Object.keys(dialects), 'scripted', 'acp:<command>']
  const close = findNearest(agent, known)
  const hint = `${close ? `Did you mean ${close}? ` : ''}Known: ${known.join(', ')}. Any other by --ai-cmd "<command>".`
  throw new PawlError(30, `no agent is called ${agent}`, hint)
}

/** What follows is the command of an agent that speaks the Agent Client Protocol. */
const acp = 'acp:'

/** Behind the subcommand and before a trailing `-`, where every one of them takes it. */
function withModel(agent: keyof typeof dialects, model: string | undefined): FrozenAgent['argv'] {
  const { argv, modelFlag } = dialects[agent]
  if (model === undefined) return argv
  const [program, first, ...rest] = argv
  return [program, first!, modelFlag, model, ...rest]
}

function scriptedAgent(script: string | undefined): [string, ...string[]] {
  if (!script) throw new PawlError(30, 'the scripted agent needs a script', 'Set agent_script: see docs/scripted.md')
  return [process.execPath, ownProgram('adapters/scripted/agent'), script]
}

/**
 * What is started for a frozen command. The bridge is put before it only now: where this program lies may change
 * between the start of a run and its end.
 */
export function buildAgentArgv({ name, argv }: FrozenAgent, confined: boolean): FrozenAgent['argv'] {
  if (name === 'acp') return [process.execPath, ownProgram('adapters/acp/bridge'), ...argv]
  const [program, ...args] = argv
  const inside = confined ? findDialect(name)?.confined : undefined
  return inside ? [program, ...inside(args)] : argv
}
