// `npm run agents:record [-- agent[@version][/scenario] ...]` runs the real programs and stores what they print as fixtures.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AgentName, agentNames, packages } from './install.ts'
import { perform } from './perform.ts'
import { scenariosFor } from './scenarios.ts'
import { type Transcript, transcriptFile, versionsOf } from './transcript.ts'

type Wanted = { readonly name: AgentName; readonly version: string; readonly scenario: string | undefined }

const wanted = process.argv.slice(2).flatMap(parseWanted)
const each = await Promise.all(agentNames.map(recordAll))
console.log(`${each.flat().length} transcripts written`)

/** Without a version: every version that has been recorded, and the current one. Without words: all agents. */
function parseWanted(word: string): Wanted[] {
  const [, name, version, scenario] = /^([a-z]+)(?:@([^/]+))?(?:\/(.+))?$/.exec(word) ?? []
  if (!agentNames.includes(name as AgentName)) throw new Error(`not agent[@version][/scenario]: ${word}`)
  return versionsToRecord(name as AgentName, version).map((one) => ({
    name: name as AgentName,
    version: one,
    scenario,
  }))
}

function versionsToRecord(name: AgentName, version: string | undefined): readonly string[] {
  return version ? [version] : [...new Set([...versionsOf(name), packages[name].version])]
}

async function recordAll(name: AgentName): Promise<Transcript[]> {
  const mine = wanted.filter((one) => one.name === name)
  const all =
    wanted.length === 0 ? versionsToRecord(name, undefined).map((version) => ({ version, scenario: undefined })) : mine
  const written: Transcript[] = []
  for (const { version, scenario: only } of all) {
    for (const scenario of scenariosFor(name, version).filter((one) => only === undefined || one.name === only)) {
      const { transcript, outside } = await perform(name, version, scenario)
      store(transcript)
      written.push(transcript)
      console.log(summary(transcript), outside.length > 0 ? `wanted ${outside.join(' ')}` : '')
    }
  }
  return written
}

function store(transcript: Transcript): void {
  const file = transcriptFile(transcript.agent, transcript.version, transcript.scenario)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(transcript, null, 2)}\n`)
}

function summary({
  agent,
  version,
  scenario,
  ended,
  exitCode,
  signal,
  durationMs,
  calls,
  changed,
}: Transcript): string {
  const how = ended === 'killed' ? 'killed' : (signal ?? `exit ${exitCode}`)
  const files = changed.length > 0 ? `, changed ${changed.join(' ')}` : ''
  return `${agent}@${version}/${scenario}: ${how} after ${durationMs / 1000} s, ${calls.model} calls${files}`
}
