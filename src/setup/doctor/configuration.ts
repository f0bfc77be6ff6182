import { knownAgents } from '../../adapters/agents/known.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { ConfigError } from '../../config/problem.ts'
import type { Settings } from '../../config/settings.ts'
import { isTrusted, listCommands } from '../../config/trust.ts'
import type { Machine } from '../../run/machine.ts'
import type { FoundAgent } from '../find-agents.ts'
import type { Finding } from './finding.ts'

const check = 'configuration'

/** Checks that the configuration is valid and trusted, and that its agent is installed. */
export async function configurationFinding(machine: Machine, found: readonly FoundAgent[]): Promise<Finding> {
  const { program, cwd, stateFolder } = machine.environment
  const settings = await loadSettings(machine).catch((error: unknown) => {
    if (error instanceof ConfigError) return error
    throw error
  })
  if (settings instanceof ConfigError) {
    const [first = ''] = settings.message.split('\n', 1)
    return { check, status: 'fail', says: first, fix: `correct the file; to see all errors: ${program} config` }
  }
  if (settings.procedures.length === 0) {
    return { check, status: 'weak', says: 'no procedure is configured in this folder', fix: `${program} init` }
  }
  const agents = listAgents(settings)
  const gates = new Set(settings.procedures.flatMap((name) => settings.under(name).value('gates'))).size
  const says = [
    `procedures: ${settings.procedures.join(', ')}`,
    `agent: ${agents.join(', ') || 'none'}`,
    `gates: ${gates}`,
    ...settings.warnings,
  ].join('; ')
  const weak = (more: string, fix: string): Finding => ({ check, status: 'weak', says: `${says}; ${more}`, fix })
  const missing = found.find(({ name, path }) => path === null && agents.includes(name))
  if (missing) return weak(`${missing.name} is not installed`, knownAgents[missing.name].install)
  if (!(await isTrusted(stateFolder, cwd, listCommands(settings)))) {
    const fix = `read the config, then: ${program} run ${settings.procedures[0]} --trust`
    return weak('you have not trusted its commands yet', fix)
  }
  if (agents.length === 0) return weak('no agent is configured', 'set agent or ai_cmd in the config')
  return { check, status: settings.warnings.length ? 'weak' : 'ok', says }
}

/** Lists the agents of all procedures: the name, or the first word of the command. */
function listAgents(settings: Settings): readonly string[] {
  const named = settings.procedures.flatMap((name) => {
    const own = settings.under(name)
    return own.value('agent') ?? own.value('ai_cmd')?.split(' ', 1) ?? []
  })
  return [...new Set(named)]
}
