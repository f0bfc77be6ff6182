import type { Io } from '../../src/surfaces/terminal/io.ts'

/** Everything that a command says, kept instead of printed. */
export function captureIo({ json = false } = {}) {
  const out: string[] = []
  const err: string[] = []
  const data: unknown[] = []
  const io: Io = {
    json,
    attended: false,
    screen: undefined,
    result: (value, lines) => {
      if (json) data.push(value)
      else out.push(...lines())
    },
    data: (value) => void data.push(value),
    out: (line) => void out.push(line),
    content: (text) => void out.push(text),
    err: (line) => void err.push(line),
    ring: () => {},
    unread: () => 0,
    closed: () => false,
    flush: async () => {},
  }
  return { io, out, err, data }
}
