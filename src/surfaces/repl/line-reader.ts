import type { Io } from '../terminal/io.ts'
import { openRawInput } from '../terminal/raw-input.ts'
import { isOn, type Look, type Text } from '../terminal/styled.ts'
import type { Complete } from './completion.ts'
import { editLine } from './edit-line.ts'
import { cleanText, createFolds } from './folds.ts'
import type { History } from './history.ts'
import { createInterrupts, interruptHint } from './interrupts.ts'
import { openPlainLines } from './plain-lines.ts'
import type { Input, Reading } from './reading.ts'

export type LineReader = {
  /**
   * Reads one input, of any length. The text has no control characters except newline and tab, and no line breaks at its end; it is
   * empty if only spaces were entered. One read at a time.
   */
  read(prompt: string, options?: ReadOptions): Promise<Input>
  /**
   * Drops what is typed, without showing it, until the returned function is called: nobody answers a question before it is asked.
   * Ctrl-C still interrupts. Does nothing without a terminal, where every line is meant.
   */
  drop(): () => void
  /** Prints a line, above the prompt if a read is in progress. */
  notify(line: Text, look?: Look): void
  /** Ends a read in progress with `ended`. Nothing listens to the input afterwards. */
  close(): void
}

export type ReadOptions = {
  /** Completes the text before the cursor when Tab is pressed. */
  readonly complete?: Complete
  /** Whether the input goes into the history. Default true; answers to questions are not kept. */
  readonly keep?: boolean
  /** Text to edit. Ignored where lines cannot be edited: without a terminal, or at one that cannot move its cursor. */
  readonly initial?: string
  /** What the second Ctrl-C does, for people. Default: it ends the program. */
  readonly hint?: string
}

export type LineReaderOptions = {
  readonly io: Pick<Io, 'err' | 'flush' | 'colour' | 'screen'>
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly history: History
  /** Milliseconds that never go back. */
  readonly now: () => number
}

/**
 * Opens a reader of inputs. At a terminal, lines are edited with readline, pastes may have several lines, and Ctrl-C on an empty line
 * ends a read if it is pressed twice. Without a terminal each line is one input.
 */
export function openLineReader({ io, input, output, env, history, now }: LineReaderOptions): LineReader {
  const interrupts = createInterrupts(now)
  const folds = createFolds()
  const plain = canEdit(input, output, env) ? undefined : openPlainLines({ io, input, output, interrupts })
  let isReading = false
  let reading: Reading | undefined
  let isClosed = false
  /** What was typed after the last input, before the next read. */
  let ahead = ''

  async function readOnce(
    prompt: string,
    { complete, initial = '', hint = interruptHint }: ReadOptions,
  ): Promise<Input> {
    io.screen?.show([])
    await io.flush()
    if (isClosed) return { is: 'ended' }
    if (plain) {
      reading = plain.read(prompt, hint)
      return reading.input
    }
    const editing = editLine(
      { io, input, output, history, folds, interrupts },
      { prompt, complete, initial, ahead, hint },
    )
    reading = editing
    const result = await editing.input
    ahead = editing.rest()
    return result
  }

  return {
    read: async (prompt, options = {}) => {
      if (isReading) throw new Error('a read is in progress')
      isReading = true
      const result = await readOnce(prompt, options).finally(() => {
        isReading = false
        reading = undefined
      })
      if (result.is !== 'text') return result
      const text = cleanText(result.text).replace(/\n+$/, '')
      if (text.trim() === '') return { is: 'text', text: '' }
      if (options.keep !== false) history.add(text)
      return { is: 'text', text }
    },
    drop: () => {
      if (plain || isClosed) return () => {}
      ahead = ''
      const onText = (text: string): void => {
        if (text.includes('\u0003')) process.kill(process.pid, 'SIGINT')
      }
      return openRawInput(input, { onText, onSuspend: io.flush }).close
    },
    notify: (line, look) => (reading ? reading.notify(line, look) : io.err(line, look)),
    close: () => {
      isClosed = true
      reading?.close()
      plain?.close()
    },
  }
}

/** Whether lines can be edited: at a terminal that can move its cursor, unless a screen reader is in use. */
const canEdit = (
  input: NodeJS.ReadStream,
  output: NodeJS.WriteStream,
  env: Readonly<Record<string, string | undefined>>,
): boolean => input.isTTY && output.isTTY && env.TERM !== 'dumb' && !isOn(env.ACCESSIBLE)
