import { person } from '../../../run/continue-run.ts'
import { endRun } from '../../../run/end-run.ts'
import { findRun } from '../../../run/find-run.ts'
import { postNote } from '../../../run/post-note.ts'
import { readRun } from '../../../run/read-run.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, io }) => {
  const run = findRun(place, args[0], 'act')
  const alive = readRun(run.dir).owner !== undefined
  if (alive) await postNote(run, { by: person(), say: 'cancel' })
  else await endRun(place, run, (text) => io.err(`${place.name}: ${text}`))
  const { standing } = readRun(run.dir)
  io.result({ run: run.id, standing }, () => [
    alive ? `${run.name} is being ended; what is done is kept.` : `${run.name} is ${standing}; what is done is kept.`,
  ])
  return 0
}
