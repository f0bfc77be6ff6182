import type { LoopEvent } from '../contract/event.ts'
import type { Left, View } from '../kernel/policy.ts'
import type { StateFile } from '../modes/procedure/contract/state-file.ts'
import type { ProcedureMemo } from '../modes/procedure/core/memo.ts'
import { removeStateFile, stateFileOf, writeStateFile } from '../modes/procedure/start/state-file.ts'

/** A file that others read, kept in step with the run. Never the truth. Contract: never throws. */
export type Projection = {
  /** Not yet safe; `onSaved` says when it is. */
  onEvent?(event: LoopEvent, view: View<unknown>): void
  onSaved(view: View<unknown>): void
  onLeft(left: Left<unknown>): void
}

/** Seed 002's state file: there while the procedure is unfinished, gone once it is complete. */
export function stateFileProjection(path: string, name: string, onLost: (error: unknown) => void): Projection {
  let told = false
  const put = (view: View<unknown>, status: StateFile['status']): void => {
    try {
      if (status === 'completed') removeStateFile(path)
      else writeStateFile(path, stateFileOf(name, view as View<ProcedureMemo>, status))
    } catch (error) {
      if (!told) onLost(error)
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

function statusOf({ status, view }: Left<unknown>): StateFile['status'] {
  if (status === 'waiting') return 'paused'
  if (status !== 'ended') return 'interrupted'
  const ending = view.state.ended?.ending
  return ending === 'completed' ? 'completed' : ending === 'cancelled' ? 'interrupted' : 'aborted'
}
