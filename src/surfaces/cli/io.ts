import { plainText } from './plain-text.ts'
import { createSink } from './sink.ts'

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
  /** Whoever read stdout has gone away. */
  closed(): boolean
  /** Everything said so far is out, or nobody is there to read it. */
  flush(): Promise<void>
}

export function createIo(json: boolean): Io {
  const stdout = createSink(1)
  const stderr = createSink(2)
  const out = (line: string): void => stdout.write(plainText(line))
  return {
    json,
    attended: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    result: (value, lines) => {
      if (json) stdout.write(JSON.stringify(value))
      else for (const line of lines()) out(line)
    },
    data: (value) => stdout.write(JSON.stringify(value)),
    out,
    err: (line) => stderr.write(plainText(line)),
    closed: stdout.closed,
    flush: async () => {
      await stdout.flush()
      await stderr.flush()
    },
  }
}
