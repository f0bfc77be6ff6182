import { createInterface } from 'node:readline'
import type { Io } from './io.ts'

/** One question at a terminal, asked on stderr. Anything but yes is no, the end of input included. */
export async function askYesNo(io: Io, question: string): Promise<boolean> {
  await io.flush()
  // The terminal edits the line itself, so Ctrl-C stays the signal that it is.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  try {
    return await new Promise((resolve) => {
      lines.question(`${question} [y/N] `, (answer) => resolve(/^y(?:es)?$/i.test(answer.trim())))
      lines.once('close', () => resolve(false))
    })
  } finally {
    lines.close()
  }
}
