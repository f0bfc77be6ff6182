import { fstatSync } from 'node:fs'
import { createBufferedWriter } from './buffered-writer.ts'
import { plainText } from './plain-text.ts'
import { createScreen, type Look, type Screen } from './screen.ts'

/** Data goes to stdout, messages to stderr. With `--json` stdout holds JSON and nothing else. */
export type Io = {
  readonly json: boolean
  readonly attended: boolean
  /** Where both streams end at one terminal: everything goes through it, so that nothing meets its live lines. */
  readonly screen: Screen | undefined
  /** One value for machines, or lines for people. */
  result(value: unknown, lines: () => readonly string[]): void
  /** One line of a stream for machines. */
  data(value: unknown): void
  /** `look` is for a terminal. */
  out(line: string, look?: Look): void
  /** A text as it is for whoever reads on; at a terminal line by line, without what could command it. */
  content(text: string): void
  err(line: string): void
  /** Rings where there is a terminal; with words, also as a notification of the desktop. */
  ring(words?: string): void
  /** How much of stdout nobody has read yet, in characters. */
  unread(): number
  /** Whoever read stdout has gone away. */
  closed(): boolean
  /** Everything said so far is out, or nobody is there to read it. */
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
