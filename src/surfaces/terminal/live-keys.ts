import { formatOwnText } from '../../contract/programs.ts'
import { answerRun, giveFeedback, postNote } from '../../run/actions/notes.ts'
import { toPawlError } from '../../run/errors.ts'
import type { Program } from '../../run/mode.ts'
import { currentPerson } from '../../run/new-run.ts'
import type { OpenRun } from '../../run/open-run.ts'
import { readRun } from '../../run/read-run.ts'
import type { Io } from './io.ts'
import { createKeys, listKeys, type Typed } from './keys.ts'
import { openRawInput } from './raw-input.ts'

export type LiveKeys = {
  typed(): Typed | undefined
  /** See `RawInput.isOpen`. */
  isOpen(): boolean
  close(): void
}

type Screen = {
  readonly io: Pick<Io, 'err' | 'flush'>
  /** Erases the live lines. */
  hide(): void
  redraw(): void
  stopSoftly(by: string): void
}

/** Connects the keyboard to a run that is shown live. */
export function openLiveKeys(program: Program, open: OpenRun, { io, hide, redraw, stopSoftly }: Screen): LiveKeys {
  const { stored } = open
  const say = (text: string): void => io.err(text)
  const act = (action: () => Promise<string | undefined>): void => {
    void action().then(
      (text) => text !== undefined && say(text),
      (error: unknown) => {
        const known = toPawlError(error)
        const hint = known.hintFor(program.machine.environment)
        say(hint ? `${known.message}. ${hint}` : known.message)
      },
    )
  }
  const keys = createKeys({
    pause: () =>
      act(async () => {
        const { question } = (await readRun(stored)).state
        if (question?.topic.code === 'paused') await postNote(program, stored, { by: currentPerson(), say: 'unpause' })
        else if (question) return 'The run asks a question: pause has no effect. Press a to answer it.'
        else {
          await postNote(program, stored, { by: currentPerson(), say: 'pause' })
          return 'Pausing after this step. Press p to continue then.'
        }
        return undefined
      }),
    stop: () => stopSoftly('the key s'),
    refuseFeedback: () =>
      open.use(({ name, feedback }) =>
        feedback === 'taken'
          ? undefined
          : `A ${name} does not read feedback while it runs. ${formatOwnText(feedback.instead, program.machine.environment)}`,
      ),
    feedback: (text) =>
      act(async () => {
        await giveFeedback(program, stored, text)
        return 'Feedback saved: the next iteration will use it.'
      }),
    answer: (text) =>
      act(async () => {
        const { question } = (await readRun(stored)).state
        await answerRun(program, stored, question?.choices ? { choice: text } : { text })
        return `Answered: ${text}`
      }),
    help: () => listKeys(open.use(({ feedback }) => feedback === 'taken')).forEach(say),
    // To the whole group, as the terminal would send it.
    signal: (name) => {
      if (name === 'SIGQUIT') input.leave()
      process.kill(0, name)
    },
    say,
    changed: redraw,
  })
  const input = openRawInput(process.stdin, {
    onText: keys.take,
    onSuspend: () => {
      hide()
      return io.flush()
    },
  })
  return { typed: keys.typed, isOpen: input.isOpen, close: input.close }
}
