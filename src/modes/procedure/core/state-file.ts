import type { Left, View } from '../../../kernel/policy.ts'
import type { StateFile } from '../contract/state-file.ts'
import type { ProcedureMemo } from './memo.ts'
import { iterationsBegun } from './session.ts'

/** Builds the state file of seed 002 from the current view. */
export function buildStateFile(
  name: string,
  { state, memo }: View<ProcedureMemo>,
  status: StateFile['status'],
): StateFile {
  return {
    iteration: iterationsBegun(state),
    max_iterations: state.caps.tasks ?? 0,
    consecutive_failures: state.failuresInARow,
    failure_threshold: state.caps.failuresInARow ?? 0,
    started_at: formatSecond(memo.startedAt),
    last_iteration_at: formatSecond(memo.lastAt || memo.startedAt),
    status,
    procedure_name: name,
    elapsed_per_iteration: memo.elapsedMs.map((ms) => `${(ms / 1000).toFixed(1)}s`),
  }
}

const formatSecond = (at: number): string => new Date(at).toISOString().replace(/\.[0-9]{3}Z$/, 'Z')

/** Decides the status in the state file after the run has left. */
export function decideStatus({ status, view }: Left<ProcedureMemo>): StateFile['status'] {
  if (status === 'waiting') return 'paused'
  if (status !== 'ended') return 'interrupted'
  const ending = view.state.ended?.ending
  return ending === 'completed' ? 'completed' : ending === 'cancelled' ? 'interrupted' : 'aborted'
}
