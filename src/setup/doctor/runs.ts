import { iterationsBegun } from '../../modes/procedure/start/state-file.ts'
import { continueWith } from '../../run/continue-run.ts'
import { listRuns, type RunEntry } from '../../run/index-of-runs.ts'
import type { Place } from '../../run/paths.ts'
import { readRun } from '../../run/read-run.ts'
import type { Finding } from './finding.ts'

const mostRead = 50
const mostTold = 5

/** Runs of this folder that somebody should look after, each with the command that does. */
export function runFindings(place: Place): readonly Finding[] {
  const here = listRuns(place).filter(({ workspace }) => workspace === place.cwd)
  const open = here.slice(0, mostRead).flatMap(openFinding)
  if (open.length === 0) return [{ check: 'runs', status: 'ok', says: 'none here is unfinished' }]
  const left = open.length - mostTold
  const more: Finding = { check: 'runs', status: 'weak', says: `${left} more are unfinished`, fix: `${place.name} ls` }
  return left > 0 ? [...open.slice(0, mostTold), more] : open
}

function openFinding(run: RunEntry): readonly Finding[] {
  const check = `run ${run.name}`
  try {
    const read = readRun(run.dir)
    if (read.state.ended) return []
    const says = `${run.id} is ${read.standing} after ${iterationsBegun(read.state)} of its iterations`
    if (read.standing === 'running') return [{ check, status: 'ok', says }]
    const next = continueWith(run, read)
    return [{ check, status: 'weak', says, ...(next && { fix: next }) }]
  } catch (error) {
    const says = `${run.id} cannot be read: ${(error as Error).message}`
    return [{ check, status: 'weak', says, fix: `pawl fsck ${run.id}` }]
  }
}
