import { resolve } from 'node:path'
import type { RunTools } from '../../run/machine.ts'
import { type Composed, defineMode } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import { formatReason } from '../../show/reasons.ts'
import type { WorkFacts } from '../../show/report/collect.ts'
import { resultBase } from '../../show/result.ts'
import { ProcedureRequest } from './contract/request.ts'
import { procedureData } from './core/event-data.ts'
import type { ProcedureMemo } from './core/memo.ts'
import { procedurePolicy } from './core/policy.ts'
import { procedureReasons } from './core/reasons.ts'
import { procedureFacts } from './facts.ts'
import { procedureShow } from './show/show.ts'
import { amendProcedure } from './start/amend.ts'
import { lockName } from './start/lock.ts'
import { checkProcedure } from './start/preflight.ts'
import { readPromptFile } from './start/prompt-file.ts'
import { projectStateFile } from './state/projection.ts'
import { stateFilePath } from './state/state-file.ts'
import { procedureWork } from './work/work.ts'

/** An agent started fresh for every iteration, gates after it: seed 002. */
export const procedure = defineMode<ProcedureRequest, null, ProcedureMemo, WorkFacts>({
  name: 'procedure',
  request: ProcedureRequest,
  data: procedureData,
  reasons: procedureReasons,
  sealedBy: () => undefined,
  load: async () => null,
  policy: ({ request, envelope }) => procedurePolicy(request, envelope.caps),
  commands: ({ agent, gates }) => ({ agents: [agent], checks: gates, sends: [] }),
  resuming: { amend: amendProcedure, caps: (given) => given },
  feedback: { instead: 'To change what it is told: its prompt files, or: pawl resume --context' },
  preflight: checkProcedure,
  hold: ({ entry: { workspace, name } }, machine, { force }) => lockName(machine, { workspace, name, force }),
  compose,
  result: ({ entry: { id } }, _inputs, left, { exit }) =>
    resultBase(id, left, exit, (reason) => formatReason(procedureReasons, reason)),
  facts: (run, _inputs, machine, options) => procedureFacts(run, machine, options),
  show: procedureShow,
})

function compose(
  { entry: { id, name }, current: { request } }: Run<ProcedureRequest>,
  _inputs: null,
  tools: RunTools,
): Composed<ProcedureMemo> {
  const { workspace, environment, files, onNotice } = tools
  const path = stateFilePath(workspace, environment.folder, name)
  return {
    work: procedureWork(request, {
      agent: tools.openAgent(request.agent, { silenceMs: request.silenceMs }),
      shell: tools.shell,
      content: tools.content,
      repository: tools.git.openRepository(workspace),
      run: id,
      workspace,
      env: tools.environmentFor(),
      folder: tools.folder,
      file: tools.file,
      readText: (file) => readPromptFile(resolve(workspace, file)),
      estimateTokens: tools.estimateTokens,
      onProgress: tools.onProgress,
      onNotice,
    }),
    projection: projectStateFile({
      files,
      path,
      name,
      onLost: ({ message }) => onNotice(`cannot write ${path}: ${message}. The loop goes on.`),
    }),
  }
}
