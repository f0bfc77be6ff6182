import { createHash } from 'node:crypto'
import { isAgentName } from '../adapters/agents/dialects.ts'
import type { Agent, AgentReport } from '../ports/agent.ts'
import type { Environment, Machine } from '../run/machine.ts'

type Shared = Machine['shared']

/**
 * A usage limit belongs to an account, not to a run: what one run has learned of it keeps all runs of this person on
 * that account from asking in vain. A success, or a person who will not wait, forgets it.
 */
export function shareLimits(agent: Agent, environment: Environment, shared: Shared, now: () => number): Agent {
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
