import { person } from '../../../app/continue-run.ts'
import { findRun } from '../../../app/find-run.ts'
import { postNote } from '../../../app/post-note.ts'
import { readRun } from '../../../app/read-run.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, io }) => {
  const run = findRun(place, args[0])
  const { standing, owner } = readRun(run.dir)
  const note = await postNote(run, { by: person(), say: 'cancel' })
  io.result({ run: run.id, note, standing }, () => [
    owner
      ? `${run.name} is being ended; what is done is kept.`
      : `${run.name} ends as soon as it is resumed: pawl resume ${run.id}`,
  ])
  return 0
}
