type LineSplitter = { push(text: string): void; end(): void }

const maxLineLength = 1 << 20
const cutLength = 1000

/** Splits a stream into lines. Passes on only the beginning of an overlong line, so memory stays bounded. */
export function splitLines(onLine: (line: string) => void): LineSplitter {
  let open = ''
  let dropping = false
  const finish = (line: string): void => {
    if (!dropping) onLine(line.endsWith('\r') ? line.slice(0, -1) : line)
    dropping = false
  }
  return {
    push: (text) => {
      const parts = text.split('\n')
      parts[0] = open + parts[0]
      open = parts.pop() ?? ''
      for (const line of parts) finish(line)
      if (open.length <= maxLineLength) return
      if (!dropping) onLine(open.slice(0, cutLength))
      dropping = true
      open = ''
    },
    end: () => {
      if (open !== '') finish(open)
      open = ''
    },
  }
}
