import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { readPlain, realDisk, writeWhole } from '../../../adapters/stores/files/disk.ts'
import type { View } from '../../../kernel/policy.ts'
import type { LoopState } from '../../../kernel/state.ts'
import { type Place, workspaceFolder } from '../../../run/paths.ts'
import { StateFile } from '../contract/state-file.ts'
import type { ProcedureMemo } from '../core/memo.ts'

export const stateFilePath = (place: Place, name: string): string =>
  join(place.cwd, workspaceFolder(place), 'state', `${name}.json`)

/** An iteration whose agent has worked has had its number, although nothing is decided about it yet. */
export const iterationsBegun = ({ tasks, task, running, outcome }: LoopState): number =>
  tasks + (task && (running || (outcome && outcome.status !== 'unavailable')) ? 1 : 0)

/** Pure: what seed 002's state file says of a procedure as it stands. */
export function stateFileOf(
  name: string,
  { state, memo }: View<ProcedureMemo>,
  status: StateFile['status'],
): StateFile {
  return {
    iteration: iterationsBegun(state),
    max_iterations: state.caps.tasks ?? 0,
    consecutive_failures: state.failuresInARow,
    failure_threshold: state.caps.failuresInARow ?? 0,
    started_at: second(memo.startedAt),
    last_iteration_at: second(memo.lastAt || memo.startedAt),
    status,
    procedure_name: name,
    elapsed_per_iteration: memo.elapsedMs.map((ms) => `${(ms / 1000).toFixed(1)}s`),
  }
}

const second = (at: number): string => new Date(at).toISOString().replace(/\.[0-9]{3}Z$/, 'Z')

/** Without a sync of its own: after a power loss the journal says it all again. A folder that is gone stays gone. */
export function writeStateFile(path: string, file: StateFile): void {
  writeWhole(realDisk, path, `${JSON.stringify(file, null, 2)}\n`)
}

export const removeStateFile = (path: string): void => rmSync(path, { force: true })

/** `unreadable` where there is something that is no state file. */
export function readStateFile(path: string): StateFile | 'unreadable' | undefined {
  try {
    return StateFile.parse(JSON.parse(readPlain(realDisk, path, 1 << 20)))
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : 'unreadable'
  }
}

/** Nothing is overwritten: whatever lies there is kept under another name. */
export function moveAside(path: string, now: Date): string {
  const aside = `${path}.${now.toISOString().replace(/[-:.]/g, '')}`
  renameSync(path, aside)
  return aside
}
