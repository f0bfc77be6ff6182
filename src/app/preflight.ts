import { resolve } from 'node:path'
import { isPromptFile } from '../contract/config.ts'
import { PawlError } from '../contract/exit.ts'
import type { ProcedureRun, RunRequest } from '../contract/request.ts'
import { fileOf } from '../modes/procedure/prompt.ts'
import { findProgram, isReadable } from './find-program.ts'
import type { Place } from './paths.ts'

/** What would fail in every iteration is said before the first one, and costs none. */
export function preflight(place: Place, request: RunRequest): void {
  const { workspace } = request
  // A rung that is not there is one that does not answer: the next one does.
  if (request.mode === 'refinement') return
  const { agent } = request.mode === 'procedure' ? request.procedure : request.delivery
  const [program] = agent.argv
  if (!findProgram(program, workspace, place.env.PATH ?? '')) {
    // To a control plane an agent that is not there is a precondition, and no mistake in what it asked for.
    const exit = request.mode === 'delivery' ? 10 : 30
    throw new PawlError(exit, `no such program: ${program}`, programHint(agent.name, request.mode))
  }
  if (request.mode === 'procedure') checkPrompts(request)
}

function checkPrompts({ procedure, workspace }: ProcedureRun): void {
  const context = procedure.context.flatMap((entry) => fileOf(entry) ?? [])
  for (const file of [...Object.values(procedure.phases).flat().filter(isPromptFile), ...context]) {
    if (isReadable(resolve(workspace, file))) continue
    throw new PawlError(
      30,
      `cannot read the prompt file ${file}`,
      'Write it, or put the text itself into the configuration.',
    )
  }
}

function programHint(agent: string, mode: RunRequest['mode']): string {
  if (agent === 'command') return 'It is the first word of ai_cmd: pawl config explain ai_cmd'
  if (agent === 'acp' && mode === 'delivery')
    return 'Install it: it is the first word of agent.model_hint, or behind acp:'
  if (agent === 'acp') return 'It is the first word behind acp: in agent: pawl config explain agent'
  return `Install ${agent}, or choose another agent: pawl doctor tells what is there.`
}
