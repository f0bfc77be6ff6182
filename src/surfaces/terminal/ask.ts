import { createInterface } from 'node:readline'
import type { Ask } from '../../ports/ask.ts'
import { endRun } from '../../run/actions/notes.ts'
import type { Starter } from '../../run/mode.ts'
import type { Invocation } from './command.ts'
import type { Io } from './io.ts'
import { createRendering } from './render.ts'
import { renderBlocks } from './render-blocks.ts'

/** Creates the starter for the person at this terminal. */
export const createStarter = ({ io, program, options }: Invocation): Starter => ({
  ask: createAsk(io),
  tell: io.err,
  show: (blocks) => {
    if (io.json || options.quiet === true) return
    for (const line of renderBlocks(blocks, createRendering(program, undefined, io))) io.err(line)
  },
  end: (run) => endRun(program, run, (text) => io.err(`${program.machine.environment.program}: ${text}`)),
})

/** Asks until the answer is a choice or the start of one. Undefined if the person cancels or input ends. */
const createAsk =
  (io: Io): Ask =>
  async (question, choices) => {
    if (!io.attended || io.json) return undefined
    const offered = `${[...choices.filter((choice) => choice !== cancel), cancel].join(' / ')}`
    for (;;) {
      const answer = (await askLine(io, `${question} ${offered}? `))?.toLowerCase()
      if (answer === undefined) return undefined
      const chosen = answer === '' ? undefined : choices.find((choice) => choice.startsWith(answer))
      if (chosen !== undefined) return chosen
      if (answer !== '' && cancel.startsWith(answer)) return undefined
    }
  }

const cancel = 'cancel'

/** Asks one question at a terminal. Anything but yes is no, including the end of input. */
export const askYesNo = async (io: Io, question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test((await askLine(io, `${question} [y/N] `)) ?? '')

/** Asks on stderr. Undefined at the end of input. */
async function askLine(io: Io, question: string): Promise<string | undefined> {
  await io.flush()
  // `terminal: false` leaves line editing to the terminal, so Ctrl-C still sends a signal.
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
