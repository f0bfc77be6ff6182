import { writeSync } from 'node:fs'

/** Data goes to stdout, messages to stderr. With `--json` stdout holds JSON and nothing else. */
export type Io = {
  readonly json: boolean
  readonly attended: boolean
  /** One value for machines, or lines for people. */
  result(value: unknown, lines: () => readonly string[]): void
  /** One line of a stream for machines. */
  data(value: unknown): void
  out(line: string): void
  err(line: string): void
}

export function createIo(json: boolean): Io {
  const out = (line: string): void => writeLine(1, clean(line))
  return {
    json,
    attended: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    result: (value, lines) => {
      if (json) writeLine(1, JSON.stringify(value))
      else for (const line of lines()) out(line)
    },
    data: (value) => writeLine(1, JSON.stringify(value)),
    out,
    err: (line) => writeLine(2, clean(line)),
  }
}

/** Text of agents and repositories may hold terminal commands: whatever is not plain is shown, not obeyed. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to be made harmless
const unsafe = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g
const clean = (line: string): string =>
  line.replace(unsafe, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Whole and at once, so that a line is out before the process ends; a reader that went away is no error. */
function writeLine(fd: 1 | 2, line: string): void {
  let bytes = Buffer.from(`${line}\n`)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EAGAIN') return
    }
  }
}
