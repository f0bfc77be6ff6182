import { writeSync } from 'node:fs'
import { plainText } from './plain-text.ts'

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
  const out = (line: string): void => writeLine(1, plainText(line))
  return {
    json,
    attended: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    result: (value, lines) => {
      if (json) writeLine(1, JSON.stringify(value))
      else for (const line of lines()) out(line)
    },
    data: (value) => writeLine(1, JSON.stringify(value)),
    out,
    err: (line) => writeLine(2, plainText(line)),
  }
}

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
