import { readMessage } from '../../../config/input/text-input.ts'
import { PawlError } from '../../../contract/exit.ts'
import { giveFeedback } from '../../../run/actions/notes.ts'
import { readRun } from '../../../run/read-run.ts'
import { findRun } from '../../../run/reports/find-run.ts'
import type { Handler } from '../../terminal/command.ts'
import { createRendering, renderAction } from '../../terminal/render.ts'

export const handle: Handler = async ({ program, args, options, io }) => {
  const stored = await findRun(program.machine, args[0], 'act')
  const { id, name } = stored.entry
  const file = typeof options.file === 'string' ? options.file : undefined
  const text = await readMessage({ text: args[1], file, folder: process.cwd(), stdin: process.stdin })
  if (text === undefined) {
    const { program: called } = program.machine.environment
    throw new PawlError(2, 'no feedback given', `For example: ${called} feedback ${name} "Shorter"`)
  }
  const note = await giveFeedback(program, stored, text)
  const { state, standing, owner } = await readRun(stored)
  const next = renderAction({ do: state.question ? 'answer' : 'resume' }, createRendering(program, id))
  io.result({ run: id, note, standing }, () => [
    owner && !state.question ? 'Saved: the next iteration will use it.' : `Saved. To continue with it: ${next}`,
  ])
  return 0
}
