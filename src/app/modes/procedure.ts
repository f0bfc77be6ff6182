import { join, resolve } from 'node:path'
import { estimateTokens } from '../../adapters/tokens/estimate.ts'
import type { ProcedureRun } from '../../contract/request.ts'
import type { Policy } from '../../kernel/policy.ts'
import type { Work } from '../../kernel/run.ts'
import { procedurePolicy } from '../../modes/procedure/policy.ts'
import { procedureWork } from '../../modes/procedure/work.ts'
import { openRepository } from '../open-repository.ts'
import { stateFileProjection } from '../projection.ts'
import { readPromptFile } from '../prompt-file.ts'
import { resultOf } from '../result.ts'
import { stateFilePath } from '../state-file.ts'
import { environmentOf, openAgent } from './agent.ts'
import type { Mode, Tools } from './mode.ts'

export const procedurePolicyOf = ({ procedure, caps }: ProcedureRun): Policy<unknown> =>
  procedurePolicy(procedure, caps) as unknown as Policy<unknown>

export function composeProcedure(original: ProcedureRun, tools: Tools<ProcedureRun>): Mode {
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
    policy: procedurePolicyOf(original),
    work: work as unknown as Work<unknown>,
    projection,
    resultOf: (left, signal) => resultOf(request.run_id, left, signal),
  }
}
