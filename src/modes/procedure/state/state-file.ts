import { join } from 'node:path'
import type { View } from '../../../kernel/policy.ts'
import type { Files } from '../../../ports/files.ts'
import type { Projection } from '../../../run/mode.ts'
import { StateFile } from '../contract/state-file.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { buildStateFile, decideStatus } from '../core/state-file.ts'

/** Where seed 002's state file of a procedure lies. `folder` is the program's own in the workspace. */
export const stateFilePath = (workspace: string, folder: string, name: string): string =>
  join(workspace, folder, 'state', `${name}.json`)

const mostBytes = 1 << 20

/** `unreadable` where there is something that is no state file. */
export function readStateFile(files: Files, path: string): StateFile | 'unreadable' | undefined {
  try {
    return StateFile.parse(JSON.parse(files.read(path, mostBytes)))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** Without a sync of its own: after a power loss the journal says it all again. A folder that is gone stays gone. */
const writeStateFile = (files: Files, path: string, file: StateFile): void =>
  files.write(path, `${JSON.stringify(file, null, 2)}\n`)

/** Nothing is overwritten: whatever lies there is kept under another name. */
export function moveAside(files: Files, path: string, now: Date): string {
  const aside = `${path}.${now.toISOString().replace(/[-:.]/g, '')}`
  files.rename(path, aside)
  return aside
}

type StateFileOptions = {
  readonly files: Files
  readonly path: string
  readonly name: string
  /** Called once, however often it cannot be written. */
  onLost(error: Error): void
}

/** Seed 002's state file: there while the procedure is unfinished, gone once it is complete. */
export function projectStateFile({ files, path, name, onLost }: StateFileOptions): Projection<ProcedureMemo> {
  let told = false
  const put = (view: View<ProcedureMemo>, status: StateFile['status']): void => {
    try {
      if (status === 'completed') files.remove(path)
      else writeStateFile(files, path, buildStateFile(name, view, status))
    } catch (error) {
      if (!told) onLost(error as Error)
      told = true
    }
  }
  return {
    onSaved: (view) => {
      const { wait, question, ended } = view.state
      if (!ended) put(view, wait || question ? 'paused' : 'running')
    },
    onLeft: (left) => put(left.view, decideStatus(left)),
  }
}
