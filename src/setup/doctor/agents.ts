import { knownAgents } from '../../adapters/agents/known.ts'
import type { FoundAgent } from '../agents-found.ts'
import type { Finding } from './finding.ts'

/** One finding for each agent that is known by name. With none there at all, each tells how to get it. */
export const agentFindings = (found: readonly FoundAgent[]): readonly Finding[] =>
  found.map((agent) =>
    findingOf(
      agent,
      found.some(({ path }) => path !== null),
    ),
  )

function findingOf(agent: FoundAgent, anyThere: boolean): Finding {
  const { name, path, version, problem, login } = agent
  const { install, login: way, reports } = knownAgents[name]
  const check = `agent ${name}`
  if (path === null) {
    const says = 'not installed'
    return anyThere ? { check, status: 'absent', says } : { check, status: 'weak', says, fix: install }
  }
  if (version === null) {
    return { check, status: 'weak', says: `${path} does not answer: ${problem}`, fix: `install it anew: ${install}` }
  }
  const told = [
    reports.tokens && 'tokens',
    reports.costUsd && 'dollars',
    reports.limitReset && 'limit reset times',
    reports.denials && 'denials',
  ].filter(Boolean)
  const says = `${version} (${path}), ${sayLogin(login)}; reports ${told.join(', ')}`
  return login.status === 'no' ? { check, status: 'weak', says, fix: way.how } : { check, status: 'ok', says }
}

function sayLogin({ status, by }: FoundAgent['login']): string {
  if (status === 'yes') return `logged in by ${by}`
  return status === 'no' ? 'not logged in' : 'login unknown'
}
