import { type Reader, unknownUsage } from './reader.ts'

const mostCharacters = 4 * 1024 * 1024

/** A program whose whole output is its message: a model as a command. */
export function readWhole(): Reader {
  const lines: string[] = []
  let length = 0
  return {
    line: (text) => {
      length += text.length + 1
      if (length <= mostCharacters) lines.push(text)
      return undefined
    },
    told: () => ({
      usage: unknownUsage,
      lastMessage: lines.join('\n'),
      denied: 0,
      ...(length > mostCharacters && { error: `it said more than ${mostCharacters} characters` }),
    }),
  }
}
