import { dialectOf, dialects, isAgentName } from '../adapters/agents/dialects.ts'
import type { FrozenAgent } from '../contract/envelope.ts'
import { PawlError } from '../contract/exit.ts'
import { nearest } from '../contract/nearest.ts'
import { splitCommand } from '../contract/split-command.ts'
import { ownProgram } from '../installation.ts'
import type { AgentChoice } from '../run/machine.ts'

/** The command that a run is frozen with. */
export function chooseAgent({ command, agent, model, script }: AgentChoice): FrozenAgent {
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
  const close = nearest(agent, known)
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
export function commandOf({ name, argv }: FrozenAgent, confined: boolean): FrozenAgent['argv'] {
  if (name === 'acp') return [process.execPath, ownProgram('adapters/acp/bridge'), ...argv]
  const [program, ...args] = argv
  const inside = confined ? dialectOf(name)?.confined : undefined
  return inside ? [program, ...inside(args)] : argv
}
