import { dirname, join, resolve } from 'node:path'
import { startContainers } from '../../config/repository/containers.ts'
import { openRepositoryFiles } from '../../config/repository/repository.ts'
import { PawlError } from '../../contract/exit.ts'
import type { Files } from '../../ports/files.ts'
import { leaveRoom, openRunRoom } from '../../run/execution/room.ts'
import type { RunTools } from '../../run/machine.ts'
import type { Composed } from '../../run/mode.ts'
import type { Run } from '../../run/run.ts'
import type { ProcedureRequest } from './contract/request.ts'
import type { ProcedureMemo } from './core/memo.ts'
import { readPromptFile } from './start/prompt-file.ts'
import { projectStateFile, stateFilePath } from './state/state-file.ts'
import { type ProcedureTools, procedureWork } from './work/work.ts'

/** Creates the work of a procedure and the state file required by seed 002. */
export async function composeProcedure(
  { entry: { id, name }, current: { request } }: Run<ProcedureRequest>,
  tools: RunTools,
): Promise<Composed<ProcedureMemo>> {
  const { workspace, environment, files, onNotice } = tools
  const path = stateFilePath(workspace, environment.folder, name)
  makeStateFolder(files, dirname(path))
  const clean = request.cleanRoom ? await openRoom(tools, request.gates) : undefined
  const stateFile = projectStateFile({
    files,
    path,
    name,
    onLost: ({ message }) => onNotice(`cannot write ${path}: ${message}. The loop goes on.`),
  })
  const onLeft: typeof stateFile.onLeft = async (left) => {
    if (clean) leaveRoom(clean.room, left)
    await stateFile.onLeft(left)
  }
  return {
    work: procedureWork(request, {
      agent: tools.openAgent(request.agent, { silenceMs: request.silenceMs }),
      shell: tools.shell,
      content: tools.content,
      ...(clean && { clean: { ...clean, shell: tools.roomShell } }),
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
    projection: { ...stateFile, onLeft },
  }
}

/** Throws if there is none: gates must not run in the work tree if a clean room was asked for. */
async function openRoom(
  tools: RunTools,
  gates: readonly string[],
): Promise<Pick<NonNullable<ProcedureTools['clean']>, 'room' | 'snapshots'>> {
  const snapshots = await tools.git.openSnapshots(tools.workspace, [tools.folder])
  const onRealPath = startContainers(openRepositoryFiles(tools.workspace), gates)
  const room = await openRunRoom(tools, snapshots, { onRealPath })
  if ('problem' in room)
    throw new PawlError(10, `there is no clean room here: ${room.problem}`, 'Set verify: work-tree')
  return { room, snapshots }
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
