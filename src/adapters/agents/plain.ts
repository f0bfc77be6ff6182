import { endOf, type Reader, unknownUsage } from './reader.ts'

const mostLines = 20

/** An agent whose output is text: its last message is the last lines, since nothing tells where it begins. */
export function readPlain(): Reader {
  const lines: string[] = []
  return {
    line: (text) => {
      const says = text.trim()
      if (says !== '' || lines.at(-1) !== '') lines.push(endOf(text))
      if (lines.length > mostLines) lines.shift()
      return says === '' ? undefined : { says }
    },
    told: () => ({ usage: unknownUsage, lastMessage: endOf(lines.join('\n')), denied: 0 }),
  }
}
