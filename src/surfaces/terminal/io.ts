import { fstatSync } from 'node:fs'
import { createBufferedWriter } from './buffered-writer.ts'
import { plainText } from './plain-text.ts'
import { createScreen, type Look, type Screen } from './screen.ts'

/** Prints data to stdout and messages to stderr. With `--json`, stdout holds only JSON. */
export type Io = {
  readonly json: boolean
  readonly attended: boolean
  /** Set if both streams are the same terminal. All output then goes through it, so nothing breaks the live lines. */
  readonly screen: Screen | undefined
  /** Prints one value for programs, or lines for people. */
  result(value: unknown, lines: () => readonly string[]): void
  /** Prints one line of a JSON stream. */
  data(value: unknown): void
  /** `look` applies only at a terminal. */
  out(line: string, look?: Look): void
  /** Prints a text: unchanged to a pipe or file, without control characters at a terminal. */
  content(text: string): void
  err(line: string): void
  /** Rings the terminal bell; with words, also sends a desktop notification. */
  ring(words?: string): void
  /** Number of characters not written to stdout yet, because the reader is slow. */
  unread(): number
  /** Whether the reader of stdout has closed it. */
  closed(): boolean
  /** Resolves once everything is written, or the reader has closed the stream. */
  flush(): Promise<void>
}

export function createIo(json: boolean, env: Readonly<Record<string, string | undefined>>): Io {
  const stdout = createBufferedWriter(1)
  const stderr = createBufferedWriter(2)
  const screen = !json && atOneTerminal() ? createScreen(stdout, process.stdout, env) : undefined
  const out = (line: string, look?: Look): void => {
    if (screen) screen.line(plainText(line), look)
    else stdout.line(plainText(line))
  }
  return {
    json,
    attended: Boolean(process.stdin.isTTY && process.stderr.isTTY),
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
    err: (line) => (screen ?? stderr).line(plainText(line)),
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
