import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { forgetRun, listRuns, type RunEntry } from './index-of-runs.ts'
import type { Place } from './paths.ts'
import { readRun } from './read-run.ts'

export type Cleaned = { readonly id: string; readonly name: string; readonly bytes: number }

/** Ended runs of this workspace beyond the newest few. What is unfinished is never touched. */
export function cleanable(place: Place, keep: number): RunEntry[] {
  const here = listRuns(place).filter(({ workspace }) => workspace === place.cwd)
  return here.slice(keep).filter((run) => {
    try {
      const { state, owner } = readRun(run.dir)
      return state.ended !== undefined && !owner
    } catch {
      return false
    }
  })
}

export function removeRuns(place: Place, runs: readonly RunEntry[]): Cleaned[] {
  return runs.map((run) => {
    const bytes = sizeOf(run.dir)
    rmSync(run.dir, { recursive: true, force: true })
    forgetRun(place, run.id)
    return { id: run.id, name: run.name, bytes }
  })
}

export function sizeOf(path: string): number {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 0
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}
