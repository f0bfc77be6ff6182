import { findRun } from '../../../app/find-run.ts'
import { answer } from '../../../app/post-note.ts'
import { readRun } from '../../../app/read-run.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, options, io }) => {
  const run = findRun(place, args[0], 'act')
  const text = typeof options.text === 'string' ? options.text : undefined
  const { standing, owner } = readRun(run.dir)
  const note = await answer(run, args[1], text)
  io.result({ run: run.id, note, standing }, () => [
    owner ? `Answered; ${run.name} goes on.` : `Answered. To go on: pawl resume ${run.id}`,
  ])
  return 0
}
