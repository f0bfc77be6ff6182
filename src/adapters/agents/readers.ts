import { readAcp } from './acp.ts'
import { readClaude } from './claude.ts'
import { readCodex } from './codex.ts'
import type { AgentName } from './dialects.ts'
import { readOpencode } from './opencode.ts'
import type { Reader } from './reader.ts'

/** How the output of each agent is understood. A name without a reader does not compile. */
export const readers: Readonly<Record<AgentName | 'acp', () => Reader>> = {
  claude: readClaude,
  codex: () => readCodex(Date.now),
  opencode: () => readOpencode(Date.now),
  acp: readAcp,
}

/** Undefined for a command of which nothing but its exit code is known. */
export const readerOf = (name: string): (() => Reader) | undefined =>
  Object.hasOwn(readers, name) ? readers[name as keyof typeof readers] : undefined
