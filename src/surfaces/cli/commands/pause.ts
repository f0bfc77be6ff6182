import { postNote } from '../../../run/actions/notes.ts'
import { currentPerson } from '../../../run/new-run.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../terminal/command.ts'
import { createRendering, renderAction } from '../../terminal/render.ts'

export const handle: Handler = async ({ program, args, io }) => {
  const stored = await findRun(program.machine, args[0], 'act')
  const { id, name } = stored.entry
  const note = await postNote(program, stored, { by: currentPerson(), say: 'pause' })
  const next = renderAction({ do: 'resume' }, createRendering(program, id))
  io.result({ run: id, note }, () => [`${name} will pause after its current step. To continue: ${next}`])
  return 0
}
