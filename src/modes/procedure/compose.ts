import { dirname, join, resolve } from 'node:path'
import type { Files } from '../../ports/files.ts'
import type { RunTools } from '../../run/machine.ts'
import type { Composed } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import type { ProcedureRequest } from './contract/request.ts'
import type { ProcedureMemo } from './core/memo.ts'
import { readPromptFile } from './start/prompt-file.ts'
import { projectStateFile, stateFilePath } from './state/state-file.ts'
import { procedureWork } from './work/work.ts'

/** Creates the work of a procedure and the state file required by seed 002. */
export function composeProcedure(
  { entry: { id, name }, current: { request } }: Run<ProcedureRequest>,
  tools: RunTools,
): Composed<ProcedureMemo> {
  const { workspace, environment, files, onNotice } = tools
  const path = stateFilePath(workspace, environment.folder, name)
  makeStateFolder(files, dirname(path))
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

/** A run from a database has no folder here yet. Errors are reported when the file is written. */
function makeStateFolder(files: Files, folder: string): void {
  try {
    files.makeFolder(folder)
    files.read(join(folder, '.gitignore'), 1024)
  } catch {
    try {
      files.write(join(folder, '.gitignore'), '*\n')
    } catch {}
  }
}
