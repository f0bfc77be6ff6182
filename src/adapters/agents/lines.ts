export type LineSplitter = { push(text: string): void; end(): void }

const longestLine = 1 << 20
const toldOfIt = 1000

/** Whole lines of a stream that comes in pieces. Of a line without end only the beginning is told: memory is bounded. */
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
      if (open.length <= longestLine) return
      if (!dropping) onLine(open.slice(0, toldOfIt))
      dropping = true
      open = ''
    },
    end: () => {
      if (open !== '') finish(open)
      open = ''
    },
  }
}
