import { readAcp } from './acp.ts'
import { readClaude } from './claude.ts'
import { readCodex } from './codex.ts'
import type { AgentName } from './dialects.ts'
import { readOpencode } from './opencode.ts'
import { type Reader, unknownUsage } from './reader.ts'

/** How the output of each agent is understood. A name without a reader does not compile. */
export const readers: Readonly<Record<AgentName | 'acp', () => Reader>> = {
  claude: readClaude,
  codex: () => readCodex(Date.now),
  opencode: () => readOpencode(Date.now),
  acp: readAcp,
}

/** Undefined for a command of which nothing but its exit code is known. */
export const findReader = (name: string): (() => Reader) | undefined =>
  Object.hasOwn(readers, name) ? readers[name as keyof typeof readers] : undefined

const mostCharacters = 4 * 1024 * 1024

/** A program whose whole output is its message: a model as a command. */
export function readRawOutput(): Reader {
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
