import { outputEntry, type Reader, takeEnd, unknownUsage } from './reader.ts'

const maxLines = 20

/** Reads plain text output. The last message is the last lines, because nothing marks its beginning. */
export function readPlain(): Reader {
  const lines: string[] = []
  return {
    line: (text) => {
      const says = text.trim()
      if (says !== '' || lines.at(-1) !== '') lines.push(takeEnd(text))
      if (lines.length > maxLines) lines.shift()
      return outputEntry(takeEnd(text))
    },
    result: () => ({ usage: unknownUsage, lastMessage: takeEnd(lines.join('\n')), denied: 0 }),
  }
}
