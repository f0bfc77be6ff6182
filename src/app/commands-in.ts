import type { FrozenAgent, RunRequest } from '../contract/request.ts'

type Commands = { readonly agent: FrozenAgent; readonly checks: readonly string[] }

/** The agent that a run was frozen with, and the commands that judge it: all that it starts. */
export function commandsIn(request: RunRequest): Commands {
  switch (request.mode) {
    case 'procedure':
      return { agent: request.procedure.agent, checks: request.procedure.gates }
    case 'delivery': {
      const { story_commands, run_commands, by_requirement = {} } = request.delivery.input.verification
      const checks = [...new Set([...story_commands, ...Object.values(by_requirement).flat(), ...run_commands])]
      return { agent: request.delivery.agent, checks }
    }
  }
}
