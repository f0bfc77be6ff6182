import type { AgentName } from '../../../../src/adapters/agents/dialects.ts'
import type { AgentTranscript } from '../../../../src/testing/agent-suite.ts'
import { packages } from '../../../agents/install.ts'
import { readTranscripts } from '../../../agents/transcript.ts'
import type { Claim, Speaker } from './claim.ts'

/** What a process prints, and how it ends. */
export type Shown = Pick<AgentTranscript, 'stdout' | 'stderr' | 'exitCode'>

type Words = Pick<Claim, 'tool' | 'stderr' | 'exitCode'> & { readonly says: string }

/** The words as this speaker prints them: text as it is, an agent known by name in the frame that was recorded of it. */
export function speak(speaker: Speaker, { says, tool, stderr = '', exitCode = 0 }: Words): Shown {
  const text = tool === undefined ? says : `${tool}\n${says}`
  return { stdout: speaker === 'text' ? text : framed(speaker, says, tool), stderr, exitCode }
}

function framed(agent: AgentName, says: string, tool: string | undefined): string {
  const { stdout } = recorded(agent, tool === undefined ? 'text-only' : 'shell')
  const other = (_: string, value: unknown): unknown => {
    if (value === recordedMessage) return says
    return typeof value === 'string' && tool !== undefined ? value.replace(recordedOutput, () => tool) : value
  }
  const lines = stdout.trimEnd().split('\n')
  return lines.map((line) => `${JSON.stringify(JSON.parse(line, other))}\n`).join('')
}

const recordedMessage = 'All done.\n<promise>SUCCESS</promise>'
const recordedOutput = /checked\n?$/

export const recorded = (agent: AgentName, scenario: string): AgentTranscript =>
  readTranscripts(agent, packages[agent].version).find((one) => one.scenario === scenario)!
