import { readAcp } from './acp.ts'
import { readClaude } from './claude.ts'
import { readCodex } from './codex.ts'
import type { AgentName } from './dialects.ts'
import { readOpencode } from './opencode.ts'
import { type Reader, unknownUsage } from './reader.ts'

/** Does not compile unless every agent name has a reader. */
export const readers: Readonly<Record<AgentName | 'acp', () => Reader>> = {
  claude: readClaude,
  codex: () => readCodex(Date.now),
  opencode: () => readOpencode(Date.now),
  acp: readAcp,
}

/** Undefined for any other command: only its exit code is known. */
export const findReader = (name: string): (() => Reader) | undefined =>
  Object.hasOwn(readers, name) ? readers[name as keyof typeof readers] : undefined

const maxCharacters = 4 * 1024 * 1024

/** Reads a program whose complete output is its message: a command used as a model. */
export function readRawOutput(): Reader {
  const lines: string[] = []
  let length = 0
  return {
    line: (text) => {
      length += text.length + 1
      if (length <= maxCharacters) lines.push(text)
      return []
    },
    result: () => ({
      usage: unknownUsage,
      lastMessage: lines.join('\n'),
      denied: 0,
      ...(length > maxCharacters && { error: `printed more than ${maxCharacters} characters` }),
    }),
  }
}
