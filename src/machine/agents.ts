import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { dialects, findDialect, isAgentName } from '../adapters/agents/dialects.ts'
import { knownAgents } from '../adapters/agents/known.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import { PawlError } from '../contract/exit.ts'
import { findNearest } from '../contract/nearest.ts'
import { ownProgram } from '../installation.ts'
import type { Agent, AgentReport } from '../ports/agent.ts'
import type { AgentChoice, Agents, AgentTools, Environment, Machine } from '../run/machine.ts'
import { splitCommand } from './split-command.ts'

/** Opens the agents that this machine can start. */
export function openAgents(environment: Environment, shared: Machine['shared']): Agents {
  return {
    names: Object.keys(dialects),
    choose: chooseAgent,
    reportsCost: (name) =>
      name === 'command' || name === 'acp'
        ? undefined
        : name === 'scripted' || (isAgentName(name) && knownAgents[name].reports.costUsd),
    open: (agent, tools) => openAgent(agent, tools, environment, shared),
    openTranscript: async (name) => {
      const { createTranscriptReader } = await import('../adapters/agents/transcript.ts')
      return createTranscriptReader(name)
    },
    forgetLimit: (name) => forgetLimit(environment, shared, name),
  }
}

/** Opens the agent of a run. It is not started while another run's usage limit for the account is in force. */
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
    recover: async (request) => {
      opened ??= open()
      return (await (await opened).recover?.(request)) ?? { tokens: null, costUsd: null }
    },
  }
  const helpful = hintFix(lazy, agent.argv[0], environment, environmentFor(dialect?.env))
  return createLimitSharing(helpful, environment, shared, Date.now)
}

/** Adds the fix to the report of an agent that failed before it worked: a variable that it does not get, or a login. */
export function hintFix(agent: Agent, program: string, { env, folder }: Environment, passed: Variables): Agent {
  const name = basename(program)
  const login = isAgentName(name) ? knownAgents[name].login : undefined
  const how = login?.how ?? `run ${name} yourself and log in`
  const hintVariables = (detail: string, isLogin: boolean): string | undefined => {
    const named = [...detail.matchAll(variableName)].map(([found]) => found)
    const hidden = [...named, ...(isLogin ? (login?.variables ?? []) : [])].filter((one) => env[one] && !passed[one])
    const fix = `to env: in ${folder}/config.yml`
    if (hidden[0]) return `${hidden[0]} is set here, but hidden from agents: add it ${fix}`
    const unset = /\benvironment variable\b/i.test(detail) ? named.find((one) => !env[one]) : undefined
    return unset && `set ${unset}, and add it ${fix}`
  }
  return {
    ...agent,
    async run(request, signal) {
      const report = await agent.run(request, signal)
      const { status, worked, fault, detail = 'no detail' } = report
      if (status !== 'failed' || (worked && fault !== 'login')) return report
      const variables = hintVariables(detail, fault === 'login')
      if (fault === 'login') return { ...report, detail: `not logged in (${detail}): ${variables ?? how}` }
      return variables ? { ...report, detail: `${detail}; ${variables}` } : report
    },
  }
}

type Variables = Readonly<Record<string, string | undefined>>
const variableName = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g

type Shared = Machine['shared']

/**
 * Shares usage limits between runs, because a limit applies to an account. After one run hits it, no run of this user on
 * that account starts the agent until the limit ends. A success clears it, and so does a user who skips the wait.
 */
export function createLimitSharing(agent: Agent, environment: Environment, shared: Shared, now: () => number): Agent {
  const id = limitId(environment, agent.name)
  if (id === undefined) return agent
  return {
    ...agent,
    async run(request, signal) {
      const until = await readLimit(shared, id)
      if (until > now() && until < now() + maxShareMs) return toLimitReport(until)
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

/** Undefined for a custom command: its account is unknown. */
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

const toLimitReport = (until: number): AgentReport => ({
  status: 'unavailable',
  fault: 'limit',
  retryAt: until,
  detail: "another run has hit this account's usage limit",
  exitCode: null,
  usage: { tokens: 0, costUsd: 0 },
  providerMs: 0,
  denied: 0,
  lastMessage: '',
})

/** Subscription limits last up to a week. Longer ones are not shared. */
const maxShareMs = 8 * 86_400_000

async function readLimit(shared: Shared, id: string): Promise<number> {
  const known = (await shared.get('limits', id)) as { readonly until?: unknown } | null | undefined
  return typeof known?.until === 'number' ? known.until : 0
}

/** Returns the command to freeze for a run. */
function chooseAgent({ command, agent, model, script }: AgentChoice): FrozenAgent {
  if (command !== undefined) return { name: 'command', argv: splitCommand(command) }
  if (agent === undefined) {
    throw new PawlError(
      10,
      'no agent is configured',
      (_, folder) => `Set agent or ai_cmd in ${folder}/config.yml, or give --agent <name>.`,
      'no_agent',
    )
  }
  if (agent === 'scripted') return { name: agent, argv: scriptedAgent(script) }
  if (agent.startsWith(acp)) return { name: 'acp', argv: splitCommand(agent.slice(acp.length), 'agent') }
  if (isAgentName(agent)) return { name: agent, argv: withModel(agent, model) }
  const known = [...Object.keys(dialects), 'scripted', 'acp:<command>']
  const close = findNearest(agent, known)
  const hint = `${close ? `Did you mean ${close}? ` : ''}Known: ${known.join(', ')}. For any other, use --ai-cmd "<command>".`
  throw new PawlError(30, `unknown agent: ${agent}`, hint)
}

/** Prefix of the command of an agent that speaks the Agent Client Protocol. */
const acp = 'acp:'

/** Inserts the model after the subcommand and before a trailing `-`, where every agent accepts it. */
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

/** Returns the command to start for a frozen one. The bridge is added only now, because this program may move meanwhile. */
export function buildAgentArgv({ name, argv }: FrozenAgent, confined: boolean): FrozenAgent['argv'] {
  if (name === 'acp') return [process.execPath, ownProgram('adapters/acp/bridge'), ...argv]
  const [program, ...args] = argv
  const inside = confined ? findDialect(name)?.confined : undefined
  return inside ? [program, ...inside(args)] : argv
}
