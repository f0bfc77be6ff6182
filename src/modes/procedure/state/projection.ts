import type { View } from '../../../kernel/policy.ts'
import type { Files } from '../../../ports/files.ts'
import type { Projection } from '../../../run/mode.ts'
import type { StateFile } from '../contract/state-file.ts'
import type { ProcedureMemo } from '../core/memo.ts'
import { stateFileOf, statusOf } from '../core/state-file.ts'
import { writeStateFile } from './state-file.ts'

export type StateFileOptions = {
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
      else writeStateFile(files, path, stateFileOf(name, view, status))
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
    onLeft: (left) => put(left.view, statusOf(left)),
  }
}
