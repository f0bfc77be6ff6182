import type { AgentName } from './install.ts'
import type { Calls } from './provider.ts'

export type Transcript = {
  readonly agent: AgentName
  readonly version: string
  readonly scenario: string
  readonly argv: readonly string[]
  /** Killed: it was still running when its time was up. */
  readonly ended: 'exited' | 'killed'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly durationMs: number
  /** Files that it made or changed in its work folder. */
  readonly changed: readonly string[]
  readonly calls: Calls
  readonly stdout: string
  readonly stderr: string
}
