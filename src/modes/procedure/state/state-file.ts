import { join } from 'node:path'
import type { View } from '../../../kernel/policy.ts'
import type { Files } from '../../../ports/files.ts'
import type { Projection } from '../../../run/mode.ts'
import { StateFile } from '../contract/state-file.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { buildStateFile, decideStatus } from '../core/state-file.ts'

/** Returns the path of the state file of seed 002. `folder` is `.pawl` or `.rooda`. */
export const stateFilePath = (workspace: string, folder: string, name: string): string =>
  join(workspace, folder, 'state', `${name}.json`)

const maxBytes = 1 << 20

/** Reads the state file. Undefined if there is none. */
export function readStateFile(files: Files, path: string): StateFile | 'unreadable' | undefined {
  try {
    return StateFile.parse(JSON.parse(files.read(path, maxBytes)))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** Writes without a sync: after a power loss it is rebuilt from the journal. Does not recreate a deleted folder. */
const writeStateFile = (files: Files, path: string, file: StateFile): void =>
  files.write(path, `${JSON.stringify(file, null, 2)}\n`)

/** Renames the file instead of overwriting it. */
export function moveAside(files: Files, path: string, now: Date): string {
  const aside = `${path}.${now.toISOString().replace(/[-:.]/g, '')}`
  files.rename(path, aside)
  return aside
}

type StateFileOptions = {
  readonly files: Files
  readonly path: string
  readonly name: string
  /** Called only for the first failed write. */
  onLost(error: Error): void
}

/** Writes the state file of seed 002 while the procedure is unfinished, and removes it on completion. */
export function projectStateFile({ files, path, name, onLost }: StateFileOptions): Projection<ProcedureMemo> {
  let reported = false
  const update = (view: View<ProcedureMemo>, status: StateFile['status']): void => {
    try {
      if (status === 'completed') files.remove(path)
      else writeStateFile(files, path, buildStateFile(name, view, status))
    } catch (error) {
      if (!reported) onLost(error as Error)
      reported = true
    }
  }
  return {
    onSaved: (view) => {
      const { wait, question, ended } = view.state
      if (!ended) update(view, wait || question ? 'paused' : 'running')
    },
    onLeft: (left) => update(left.view, decideStatus(left)),
  }
}
