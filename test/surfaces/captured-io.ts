import type { Io } from '../../src/surfaces/terminal/io.ts'
import { plainOf } from '../../src/surfaces/terminal/styled.ts'

/** Everything that a command says, kept instead of printed. */
export function captureIo({ json = false } = {}) {
  const out: string[] = []
  const err: string[] = []
  const data: unknown[] = []
  const io: Io = {
    json,
    attended: false,
    colour: false,
    width: () => undefined,
    screen: undefined,
    result: (value, lines) => {
      if (json) data.push(value)
      else out.push(...lines().map(plainOf))
    },
    data: (value) => void data.push(value),
    out: (line) => void out.push(plainOf(line)),
    content: (text) => void out.push(text),
    err: (line) => void err.push(plainOf(line)),
    ring: () => {},
    unread: () => 0,
    closed: () => false,
    flush: async () => {},
  }
  return { io, out, err, data }
}
