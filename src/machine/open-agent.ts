import { createCommandAgent } from '../adapters/agents/command.ts'
import { dialectOf } from '../adapters/agents/dialects.ts'
import { buildEnvironment } from '../adapters/shell/output/env.ts'
import type { FrozenAgent } from '../contract/request.ts'
import type { Agent } from '../ports/agent.ts'
import type { Tools } from '../run/mode.ts'
import { commandOf } from './agent-of.ts'
import { hintingLogin } from './login-hint.ts'
import { sharingLimits } from './shared-limit.ts'

/** What every process of a run may see. */
export const environmentOf = ({ place, current }: Tools, allow: readonly string[] = []): Record<string, string> =>
  buildEnvironment(place.env, { allow: [...current.env, ...allow], add: { PAWL_RUN_ID: current.run_id } })

/** The agent of a run: the frozen command, understood in its own dialect, asking nobody in vain. */
export function openAgent(tools: Tools, agent: FrozenAgent, silenceMs: number | undefined): Agent {
  const dialect = dialectOf(agent.name)
  const commandAgent = createCommandAgent(tools.shell, tools.artifacts, {
    name: agent.name,
    argv: commandOf(agent, tools.confined),
    env: environmentOf(tools, dialect?.env),
    silenceMs,
    now: Date.now,
    newReader: dialect?.newReader,
    capArgs: dialect?.capArgs,
  })
  return sharingLimits(hintingLogin(commandAgent, agent.argv[0]), tools.place, Date.now)
}
