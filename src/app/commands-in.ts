import type { FrozenAgent, RunRequest } from '../contract/request.ts'

type Commands = { readonly agents: readonly FrozenAgent[]; readonly checks: readonly string[] }

/** The agents that a run was frozen with, and the commands that judge them: all that it starts. */
export function commandsIn(request: RunRequest): Commands {
  switch (request.mode) {
    case 'procedure':
      return { agents: [request.procedure.agent], checks: request.procedure.gates }
    case 'delivery': {
      const { story_commands, run_commands, by_requirement = {} } = request.delivery.input.verification
      const checks = [...new Set([...story_commands, ...Object.values(by_requirement).flat(), ...run_commands])]
      return { agents: [request.delivery.agent], checks }
    }
    case 'refinement':
      return {
        agents: request.refinement.ladder.flatMap(({ id: name, argv }) => (argv ? [{ name, argv }] : [])),
        checks: [],
      }
  }
}
