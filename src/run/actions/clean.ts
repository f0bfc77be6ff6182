import { RunOwnedError } from '../../ports/lease.ts'
import type { StoredRun } from '../../ports/run-store.ts'
import type { Machine } from '../machine.ts'
import { readRun } from '../read-run.ts'

export type Cleaned = { readonly id: string; readonly name: string; readonly bytes: number }

/** Removes ended runs of this workspace except the newest `keep`, or lists them if `isReal` is false. Never removes unfinished runs. */
export async function cleanRuns(machine: Machine, keep: number, isReal: boolean): Promise<readonly Cleaned[]> {
  const { store, environment } = machine
  const cleaned: Cleaned[] = []
  for (const { address } of (await store.list({ workspace: environment.cwd })).slice(keep)) {
    const stored = await store.open(address)
    if (!stored || !(await isOver(stored))) continue
    const { id, name } = stored.entry
    const bytes = isReal ? await removeUnlessOwned(machine, stored) : await stored.size()
    if (bytes !== undefined) cleaned.push({ id, name, bytes })
  }
  return cleaned
}

/** Returns undefined if another process has just resumed the run. */
async function removeUnlessOwned({ store }: Machine, { entry }: StoredRun): Promise<number | undefined> {
  try {
    return await store.remove(entry)
  } catch (error) {
    if (error instanceof RunOwnedError) return undefined
    throw error
  }
}

async function isOver(stored: StoredRun): Promise<boolean> {
  try {
    const { state, owner } = await readRun(stored)
    return state.ended !== undefined && !owner
  } catch {
    return false
  }
}
