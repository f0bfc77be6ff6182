import { humanText } from '../../../config/human-text.ts'
import { PawlError } from '../../../contract/exit.ts'
import { driveRefinement } from '../../../modes/refinement/cli/drive-refinement.ts'
import { forkRun } from '../../../modes/refinement/start/fork.ts'
import { findRun } from '../../../run/find-run.ts'
import { checkFrozenTrust } from '../../../run/frozen-trust.ts'
import { listRuns, type RunEntry } from '../../../run/index-of-runs.ts'
import { detach } from '../../terminal/detach.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, options, io } = invocation
  const parent = findRun(place, args[0], 'act')
  const here = { ...place, cwd: parent.workspace }
  if (typeof options.feedback !== 'string') {
    throw new PawlError(2, 'what is to be different?', `Such as: pawl fork ${parent.name} --feedback "Shorter"`)
  }
  const feedback = humanText(options.feedback, 'the feedback')
  checkFrozenTrust(here, parent, options.trust === true)
  const run = await forkRun(here, parent, momentIn(options.at), feedback)
  io.err(`${place.name}: ${run.id} goes on from event ${run.at} of ${parent.id}`)
  const at = { ...invocation, place: here }
  if (!options.detach) return driveRefinement(at, run)
  const found = (): RunEntry[] => listRuns(here).filter(({ id }) => id === run.id)
  return detach(at, ['resume', run.id, '--trust'], found)
}

function momentIn(at: unknown): number | undefined {
  if (at === undefined) return undefined
  if (typeof at === 'string' && /^[1-9][0-9]{0,8}$/.test(at)) return Number(at)
  throw new PawlError(2, `--at takes the number of an event`, 'pawl logs --json numbers them as seq')
}
