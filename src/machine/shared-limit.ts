import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { isAgentName } from '../adapters/agents/dialects.ts'
import { readPlain, realDisk, writeWhole } from '../adapters/stores/files/disk.ts'
import type { Agent, AgentReport } from '../ports/agent.ts'
import { type Place, stateDir } from '../run/paths.ts'

/**
 * A usage limit belongs to an account, not to a run: what one run has learned of it keeps all runs of this person on
 * that account from asking in vain. A success, or a person who will not wait, forgets it.
 */
export function sharingLimits(agent: Agent, place: Place, now: () => number): Agent {
  const path = limitFile(place, agent.name)
  if (path === undefined) return agent
  return {
    name: agent.name,
    async run(request, signal) {
      const until = readLimit(path)
      if (until > now() && until < now() + longestMs) return limited(until)
      const report = await agent.run(request, signal)
      if (report.fault === 'limit' && report.retryAt !== undefined) writeLimit(path, report.retryAt)
      if (report.status === 'ok') rmSync(path, { force: true })
      return report
    },
  }
}

export function forgetLimit(place: Place, agent: string): void {
  const path = limitFile(place, agent)
  if (path !== undefined) rmSync(path, { force: true })
}

/** Only of agents known by name is it known whose account they use. */
function limitFile(place: Place, agent: string): string | undefined {
  if (!isAgentName(agent)) return undefined
  const account = [place.home, ...accountVariables.map((name) => place.env[name] ?? '')].join('\0')
  const mark = createHash('sha256').update(account).digest('hex').slice(0, 16)
  return join(stateDir(place), 'limits', `${agent}-${mark}.json`)
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

const Limit = z.object({ until: z.number() })

function readLimit(path: string): number {
  try {
    return Limit.parse(JSON.parse(readPlain(realDisk, path, 1 << 16))).until
  } catch {
    return 0
  }
}

function writeLimit(path: string, until: number): void {
  try {
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 })
    writeWhole(realDisk, path, `${JSON.stringify({ until })}\n`)
  } catch {
    // Others find out by themselves.
  }
}
