import { createInterface } from 'node:readline'
import type { Ask } from '../../ports/ask.ts'
import { endRun } from '../../run/actions/notes.ts'
import type { Starter } from '../../run/mode.ts'
import type { Invocation } from './command.ts'
import type { Io } from './io.ts'
import { createRendering } from './render.ts'
import { renderBlocks } from './render-blocks.ts'

/** Whoever sits at this terminal and starts a run. */
export const createStarter = ({ io, program, options }: Invocation): Starter => ({
  ask: askAt(io),
  tell: io.err,
  show: (blocks) => {
    if (io.json || options.quiet === true) return
    for (const line of renderBlocks(blocks, createRendering(program))) io.err(line)
  },
  end: (run) => endRun(program, run, (text) => io.err(`${program.machine.environment.program}: ${text}`)),
})

/** Asks until the answer is one of the choices, or the beginning of one. Cancelling and the end of input are no answer. */
const askAt =
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

/** One question at a terminal. Anything but yes is no, the end of input included. */
export const askYesNo = async (io: Io, question: string): Promise<boolean> =>
  /^y(?:es)?$/i.test((await askLine(io, `${question} [y/N] `)) ?? '')

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
