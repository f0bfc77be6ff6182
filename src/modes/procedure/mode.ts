import { join, resolve } from 'node:path'
import { estimateTokens } from '../../adapters/tokens/estimate.ts'
import { isPromptFile } from '../../contract/config.ts'
import { PawlError } from '../../contract/exit.ts'
import type { ProcedureRun } from '../../contract/request.ts'
import type { LoopState } from '../../kernel/state.ts'
import { isReadable } from '../../machine/find-program.ts'
import { environmentOf, openAgent } from '../../machine/open-agent.ts'
import { openRepository } from '../../machine/open-repository.ts'
import { type Composed, defineMode, type Reasons, type Tools } from '../../run/mode.ts'
import { checkProgram } from '../../run/preflight.ts'
import { stateFileProjection } from '../../run/projection.ts'
import { resultOf } from '../../run/result.ts'
import { ownName } from '../../run/start-run.ts'
import { kernelReasons } from '../../show/words.ts'
import type { ProcedureMemo } from './core/memo.ts'
import { procedurePolicy } from './core/policy.ts'
import { fileOf } from './core/prompt.ts'
import { readPromptFile } from './start/prompt-file.ts'
import { stateFilePath } from './start/state-file.ts'
import { procedureWork } from './work/work.ts'

/** A run of failures that the agent made may pass tomorrow; one that a gate found will not by itself. */
const afterFailures = ({ verdict }: LoopState) =>
  (verdict?.data as { by?: unknown } | undefined)?.by === 'agent' ? (20 as const) : (30 as const)

const reasons: Reasons = {
  ...kernelReasons,
  'cap spent: failuresInARow': { ...kernelReasons['cap spent: failuresInARow'], exit: afterFailures },
}

export const procedure = defineMode<ProcedureRun, ProcedureMemo>({
  name: 'procedure',
  reasons,
  feedback: { instead: 'To change what it is told: its prompt files, or: pawl resume --context' },
  sealedBy: () => undefined,
  commands: ({ procedure: { agent, gates } }) => ({ agents: [agent], checks: gates, sends: [] }),
  preflight: (place, request) => {
    checkProgram(place, request.workspace, request.procedure.agent, { exit: 30, namedIn: 'configuration' })
    checkPrompts(request)
  },
  hold: async (here, run, _request, force) => ownName(here, run.name, force),
  policy: ({ procedure, caps }) => procedurePolicy(procedure, caps),
  compose,
})

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

function compose(_original: ProcedureRun, tools: Tools<ProcedureRun>): Composed<ProcedureMemo> {
  const { place, current: request, dir, shell, artifacts, onProgress, onNotice } = tools
  const { agent, silenceMs } = request.procedure
  const work = procedureWork(request.procedure, {
    agent: openAgent(tools, agent, silenceMs),
    shell,
    artifacts,
    run: request.run_id,
    workspace: request.workspace,
    env: environmentOf(tools),
    fileOf: (path) => join(dir, path),
    readText: (path) => readPromptFile(resolve(request.workspace, path)),
    repository: openRepository(place, request.workspace),
    estimateTokens,
    onProgress,
    onNotice,
  })
  const path = stateFilePath({ ...place, cwd: request.workspace }, request.name)
  const projection = stateFileProjection(path, request.name, (error) =>
    onNotice(`cannot write ${path}: ${(error as Error).message}. The loop goes on.`),
  )
  return {
    work,
    projection,
    resultOf: (left, signal) => resultOf(request.run_id, reasons, left, signal),
  }
}
