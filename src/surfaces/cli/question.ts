import { createInterface } from 'node:readline/promises'

/** Asks a person at the terminal until the answer is one of the choices; a beginning of one will do. End of input cancels. */
export async function choose<Choice extends string>(
  question: string,
  choices: readonly [...Choice[], 'cancel'],
): Promise<Choice | 'cancel'> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const ended = new Promise<'cancel'>((resolve) => lines.once('close', () => resolve('cancel')))
  try {
    for (;;) {
      const said = lines.question(`${question} ${choices.join(' / ')}? `)
      const answer = (await Promise.race([said, ended])).trim().toLowerCase()
      const chosen = answer && choices.find((choice) => choice.startsWith(answer))
      if (chosen) return chosen
    }
  } finally {
    lines.close()
  }
}
