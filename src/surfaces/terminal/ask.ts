import { createInterface } from 'node:readline'
import type { Io } from './io.ts'

/** One question at a terminal. Anything but yes is no, the end of input included. */
export const askYesNo = async (io: Io, question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test((await askLine(io, `${question} [y/N] `)) ?? '')

/** Asks until the answer is one of the choices, or the beginning of one. The end of input cancels. */
export async function choose<Choice extends string>(
  io: Io,
  question: string,
  choices: readonly [...Choice[], 'cancel'],
): Promise<Choice | 'cancel'> {
  for (;;) {
    const answer = await askLine(io, `${question} ${choices.join(' / ')}? `)
    if (answer === undefined) return 'cancel'
    const chosen = choices.find((choice) => answer !== '' && choice.startsWith(answer.toLowerCase()))
    if (chosen) return chosen
  }
}

/** Asked on stderr; undefined at the end of input. */
async function askLine(io: Io, question: string): Promise<string | undefined> {
  await io.flush()
  // The terminal edits the line itself, so Ctrl-C stays the signal that it is.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return await new Promise((resolve) => {
      lines.question(question, (answer) => resolve(answer.trim()))
      lines.once('close', () => resolve(undefined))
    })
  } finally {
    lines.close()
  }
}
