import { ownWords } from '../../../config/own-words.ts'
import { findRun } from '../../../run/find-run.ts'
import { answer } from '../../../run/post-note.ts'
import { readRun } from '../../../run/read-run.ts'
import type { Handler, Invocation } from '../command.ts'

export const handle: Handler = async (invocation) => {
  const { place, args, io } = invocation
  const run = findRun(place, args[0], 'act')
  const { standing, owner } = readRun(run.dir)
  const piped = args[1] === '-'
  const note = await answer(place, run, {
    choice: piped ? undefined : args[1],
    text: await wordsOf(invocation, piped),
  })
  io.result({ run: run.id, note, standing }, () => [
    owner ? `Answered; ${run.name} goes on.` : `Answered. To go on: pawl resume ${run.id}`,
  ])
  return 0
}

function wordsOf({ options }: Invocation, piped: boolean): Promise<string | undefined> {
  const text = typeof options.text === 'string' ? options.text : piped ? '-' : undefined
  const file = typeof options.file === 'string' ? options.file : undefined
  return ownWords({ text, file, folder: process.cwd(), stdin: process.stdin })
}
