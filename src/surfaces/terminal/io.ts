import { fstatSync } from 'node:fs'
import { createBufferedWriter } from './buffered-writer.ts'
import { createScreen, type Screen } from './screen.ts'
import { type ColourChoice, decideColour, type Look, paintText, type Text } from './styled.ts'

/** Prints data to stdout and messages to stderr. With `--json`, stdout holds only JSON. */
export type Io = {
  readonly json: boolean
  readonly attended: boolean
  /** Whether stdout takes colours. */
  readonly colour: boolean
  /** The columns of stdout, if it is a terminal. */
  width(): number | undefined
  /** Set if both streams are the same terminal. All output then goes through it, so nothing breaks the live lines. */
  readonly screen: Screen | undefined
  /** Prints one value for programs, or lines for people. */
  result(value: unknown, lines: () => readonly Text[]): void
  /** Prints one line of a JSON stream. */
  data(value: unknown): void
  /** Styles apply only where colours are on. Everything else in the line is escaped. */
  out(line: Text, look?: Look): void
  /** Prints a text: unchanged to a pipe or file, without control characters at a terminal. */
  content(text: string): void
  err(line: Text, look?: Look): void
  /** Rings the terminal bell; with words, also sends a desktop notification. */
  ring(words?: string): void
  /** Number of characters not written to stdout yet, because the reader is slow. */
  unread(): number
  /** Whether the reader of stdout has closed it. */
  closed(): boolean
  /** Resolves once everything is written, or the reader has closed the stream. */
  flush(): Promise<void>
}

export function createIo(
  json: boolean,
  env: Readonly<Record<string, string | undefined>>,
  choice: ColourChoice = 'auto',
): Io {
  const stdout = createBufferedWriter(1)
  const stderr = createBufferedWriter(2)
  const colour = !json && decideColour(choice, env, process.stdout.isTTY === true)
  const errColour = !json && decideColour(choice, env, process.stderr.isTTY === true)
  const screen = !json && atOneTerminal() ? createScreen(stdout, process.stdout, colour) : undefined
  const out = (line: Text, look?: Look): void => {
    if (screen) screen.line(line, look)
    else stdout.line(paintText(line, look, colour))
  }
  return {
    json,
    attended: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    colour,
    width: () => (process.stdout.isTTY ? process.stdout.columns || undefined : undefined),
    screen,
    result: (value, lines) => {
      if (json) stdout.line(JSON.stringify(value))
      else for (const line of lines()) out(line)
    },
    data: (value) => stdout.line(JSON.stringify(value)),
    out,
    content: (text) => {
      if (process.stdout.isTTY) for (const line of text.replace(/\n$/, '').split('\n')) out(line)
      else stdout.raw(text.endsWith('\n') ? text : `${text}\n`)
    },
    err: (line, look) => {
      if (screen) screen.line(line, look)
      else stderr.line(paintText(line, look, errColour))
    },
    ring: (words) => {
      if (screen) screen.ring(words)
      else if (!json && process.stderr.isTTY) stderr.raw('\u0007')
    },
    unread: stdout.unread,
    closed: stdout.closed,
    flush: async () => {
      await stdout.flush()
      await stderr.flush()
    },
  }
}

const atOneTerminal = (): boolean =>
  process.stdout.isTTY && process.stderr.isTTY && fstatSync(1).rdev === fstatSync(2).rdev
