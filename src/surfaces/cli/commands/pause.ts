import { postNote } from '../../../run/actions/notes.ts'
import { person } from '../../../run/new-run.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../terminal/command.ts'
import { renderAction, renderingAt } from '../../terminal/render.ts'

export const handle: Handler = async ({ program, args, io }) => {
  const stored = await findRun(program.machine, args[0], 'act')
  const { id, name } = stored.entry
  const note = await postNote(program, stored, { by: person(), say: 'pause' })
  const goesOn = renderAction({ do: 'answer' }, renderingAt(program, id))
  io.result({ run: id, note }, () => [`${name} pauses at its next boundary. To go on: ${goesOn}`])
  return 0
}
