import { ownWords } from '../../../config/own-words.ts'
import { PawlError } from '../../../contract/exit.ts'
import { findRun } from '../../../run/find-run.ts'
import { feedback } from '../../../run/post-note.ts'
import { readRun } from '../../../run/read-run.ts'
import type { Handler } from '../command.ts'

export const handle: Handler = async ({ place, args, options, io }) => {
  const run = findRun(place, args[0], 'act')
  const file = typeof options.file === 'string' ? options.file : undefined
  const text = await ownWords({ text: args[1], file, folder: process.cwd(), stdin: process.stdin })
  if (text === undefined)
    throw new PawlError(2, 'there is nothing to tell', `Such as: pawl feedback ${run.name} "Shorter"`)
  const note = await feedback(place, run, text)
  const { state, standing, owner } = readRun(run.dir)
  const goesOn = `pawl ${state.question ? 'answer' : 'resume'} ${run.id}`
  io.result({ run: run.id, note, standing }, () => [
    owner && !state.question ? 'Told: the next iteration takes it up.' : `Kept: it is taken up with ${goesOn}`,
  ])
  return 0
}
