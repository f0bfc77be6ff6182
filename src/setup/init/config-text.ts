import { knownAgents } from '../../adapters/agents/known.ts'
import type { Gate } from '../../config/repository/gate.ts'
import type { FoundAgent } from '../agents-found.ts'
import { phases } from './prompts.ts'

export type ConfigFacts = {
  readonly program: string
  readonly folder: string
  readonly agent: FoundAgent | undefined
  readonly gates: readonly Gate[]
}

/** A configuration that a person can read from top to bottom and knows what each line does. */
export const configText = ({ program, folder, agent, gates }: ConfigFacts): string => `\
# yaml-language-server: $schema=./config.schema.json
# How ${program} works in this repository. Written by \`${program} init\`, yours to change. Where a value comes from:
# \`${program} config explain <key>\`. All keys: \`${program} schema config\`.

${agentLines(agent)}
${gateLines(gates)}
# Bounds. The first one that is reached ends the run; \`${program} run build -n 1\` sets one for a single run.
default_iterations: 10 # iterations at most
max_time: 3h # active time of the whole run; waiting for a limit does not count
attempt_timeout: 30m # one iteration's agent is ended after this
${silenceLine(agent)}failure_threshold: 3 # failures in a row, of the agent or of a gate
${costLines(agent)}
procedures:
  build: # \`${program} run build\`
    # What the agent is told in each iteration: four files, read anew every time, yours to improve.
${phases.map((phase) => `    ${phase}: ${folder}/prompts/${phase}.md\n`).join('')}\
    # Done when the agent says that everything is done and all gates pass. Others: gates, never.
    until: promise+gates
`

function agentLines(agent: FoundAgent | undefined): string {
  if (agent) {
    const others = Object.keys(knownAgents).filter((name) => name !== agent.name)
    return `# The agent, started fresh for every iteration. Others: ${others.join(', ')}; or instead of it ai_cmd, any command that
# reads its prompt on standard input.
agent: ${agent.name}
`
  }
  const ways = Object.entries(knownAgents).map(([name, { install }]) => `# agent: ${name}`.padEnd(20) + install)
  return `# The agent, started fresh for every iteration. None was found on this machine: install one, log in and take
# its line, or give any command that reads its prompt on standard input.
${ways.join('\n')}
# ai_cmd: "my-agent --headless"
`
}

function gateLines(gates: readonly Gate[]): string {
  if (gates.length === 0) {
    return `# Gates: commands that must all exit with 0 for an iteration to count. None was found here. Without a gate only
# the agent's own word ends a run, so name your tests.
# gates:
#   - make test
`
  }
  const lines = gates.map(({ command, from }) => `  - ${scalar(command)} # ${from}\n`)
  return `# Gates: run after each iteration, in this order; all must exit with 0 for it to count.
gates:
${lines.join('')}`
}

/** Known agents stream what they do; of any other command nobody knows how long it is silent. */
const silenceLine = (agent: FoundAgent | undefined): string =>
  agent ? 'silence_timeout: 15m # an agent that says nothing for so long hangs\n' : ''

function costLines(agent: FoundAgent | undefined): string {
  if (!agent || !knownAgents[agent.name].reports.costUsd) return ''
  return `# ${agent.name} reports what each iteration costs, so money can be a bound; on a subscription it is what the same
# work would have cost.
max_cost: 10 # US dollars
`
}

/** Plain where YAML reads it as the same text; otherwise quoted, and JSON's quoting is YAML's too. */
const scalar = (text: string): string => (/^[A-Za-z./][\w ./=+-]*$/.test(text) ? text : JSON.stringify(text))
