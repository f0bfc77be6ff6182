// `npm run agents:record [-- agent/scenario ...]` runs the real programs and stores what they print as fixtures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AgentName, agentNames, installAgents } from './install.ts'
import { perform } from './perform.ts'
import { type Scenario, scenarios } from './scenarios.ts'
import type { Transcript } from './transcript.ts'

const wanted = process.argv.slice(2)
const programs = installAgents()
const each = await Promise.all(agentNames.map(recordAll))
console.log(`${each.flat().length} transcripts written`)

async function recordAll(name: AgentName): Promise<Transcript[]> {
  const written: Transcript[] = []
  for (const scenario of scenarios.filter((one) => isWanted(name, one))) {
    const { transcript, outside } = await perform(name, programs[name], scenario)
    store(transcript)
    written.push(transcript)
    console.log(summary(transcript), outside.length > 0 ? `wanted ${outside.join(' ')}` : '')
  }
  return written
}

function isWanted(name: AgentName, { name: scenario, only }: Scenario): boolean {
  if (only && !only.includes(name)) return false
  return wanted.length === 0 || wanted.some((word) => [name, scenario, `${name}/${scenario}`].includes(word))
}

function store(transcript: Transcript): void {
  const file = join(import.meta.dirname, 'transcripts', transcript.agent, `${transcript.scenario}.json`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(transcript, null, 2)}\n`)
}

function summary({ agent, scenario, ended, exitCode, signal, durationMs, calls, changed }: Transcript): string {
  const how = ended === 'killed' ? 'killed' : (signal ?? `exit ${exitCode}`)
  const files = changed.length > 0 ? `, changed ${changed.join(' ')}` : ''
  return `${agent}/${scenario}: ${how} after ${durationMs / 1000} s, ${calls.model} calls${files}`
}
