import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

const folder = join(import.meta.dirname, 'transcripts')

/** The versions that have been recorded, oldest first. */
export const versionsOf = (agent: AgentName): readonly string[] =>
  readdirSync(join(folder, agent)).toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true }))

export const transcriptFile = (agent: AgentName, version: string, scenario: string): string =>
  join(folder, agent, version, `${scenario}.json`)

export function readTranscripts(agent: AgentName, version: string): Transcript[] {
  const names = readdirSync(join(folder, agent, version))
  return names.map((name) => JSON.parse(readFileSync(join(folder, agent, version, name), 'utf8')) as Transcript)
}
