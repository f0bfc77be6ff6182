import {
  type AsyncCompleter,
  clearScreenDown,
  createInterface,
  cursorTo,
  type Interface,
  type Key,
  moveCursor,
} from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Line } from './folds.ts'

/** One line at a terminal, edited and drawn by readline. */
export type LineEditor = {
  readonly lines: Interface
  now(): Line
  /** Does what readline does for a key. Returns false if the key has submitted the line. */
  press(letters: string | undefined, key: Key): boolean
  insert(text: string): void
  /** Shows another line, by default with the same prompt. */
  show(line: Line, prompt?: string): void
  /** Prints finished lines above the line. */
  printAbove(text: string): void
  /** Draws the line where the cursor is now. */
  redraw(): void
  /** Moves the cursor below the line. */
  leave(): void
  close(): void
}

export type EditorOptions = {
  readonly output: NodeJS.WriteStream
  readonly prompt: string
  /** Earlier lines, the newest first. */
  readonly history: readonly string[]
  readonly completer: AsyncCompleter
  readonly onSubmit: (line: string) => void
}

/** Short, because a person who presses Escape waits for it; long enough for the rest of a sequence on a slow connection. */
const escapeMs = 100

export function openLineEditor({ output, prompt, history, completer, onSubmit }: EditorOptions): LineEditor {
  let isSubmitted = false
  /** The row of the cursor, counted from the start of the prompt. */
  let row = 0

  // Readline redraws as if the terminal had left its lines alone. Most terminals wrap them anew, and the cursor moves along.
  // Must be called before readline's own listener.
  function followResize(): void {
    const before = row
    settle()
    if (row > before) moveCursor(output, 0, before - row)
    else output.write('\n'.repeat(before - row))
  }
  output.on('resize', followResize)

  const lines = createInterface({
    // Keys come by way of `press`.
    input: new PassThrough(),
    output,
    terminal: true,
    prompt,
    history: [...history],
    // Nothing is added here.
    historySize: 0,
    completer: (before, done) =>
      completer(before, (error, result) => {
        done(error, result)
        settle()
      }),
    escapeCodeTimeout: escapeMs,
  })
  lines.on('line', (line) => {
    isSubmitted = true
    onSubmit(line)
  })

  function settle(): void {
    row = lines.getCursorPos().rows
  }

  function draw(): void {
    lines.prompt(true)
    settle()
  }

  /** Readline first moves up to where the prompt began, so the cursor has to be as far below. */
  function redraw(): void {
    output.write('\n'.repeat(row))
    draw()
  }

  const now = (): Line => ({ line: lines.line, cursor: lines.cursor })
  // Readline has no other way to set the whole line that leaves its undo list alone.
  const set = (line: Line): unknown => Object.assign(lines, line)

  return {
    lines,
    now,
    press: (letters, key) => {
      lines.write(letters, key)
      if (!isSubmitted) settle()
      return !isSubmitted
    },
    insert: (text) => {
      lines.write(text)
      settle()
    },
    show: (line, prompt) => {
      if (prompt !== undefined) lines.setPrompt(prompt)
      set(line)
      draw()
    },
    printAbove: (text) => {
      moveCursor(output, 0, -row)
      cursorTo(output, 0)
      clearScreenDown(output)
      output.write(`${text}\n`)
      redraw()
    },
    redraw,
    leave: () => {
      const { cursor } = lines
      lines.write(null, { ctrl: true, name: 'e' })
      settle()
      set({ line: lines.line, cursor })
      output.write('\r\n')
    },
    close: () => {
      output.off('resize', followResize)
      lines.close()
    },
  }
}
