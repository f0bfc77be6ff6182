import { person } from '../../../run/continue-run.ts'
import { findRun } from '../../../run/find-run.ts'
import { postNote } from '../../../run/post-note.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, io }) => {
  const run = findRun(place, args[0], 'act')
  const note = await postNote(run, { by: person(), say: 'pause' })
  io.result({ run: run.id, note }, () => [`${run.name} pauses at its next boundary. To go on: pawl answer ${run.id}`])
  return 0
}
