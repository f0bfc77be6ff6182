import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { knownAgents } from '../../src/adapters/agents/known.ts'
import { agentNames, packages } from './install.ts'
import { scenariosFor } from './scenarios.ts'
import { readTranscripts, transcriptFile, versionsOf } from './transcript.ts'

const recorded = agentNames.flatMap((agent) => versionsOf(agent).map((version) => ({ agent, version })))

test.each(agentNames)('%s is recorded in its current version and in at least one older one', (agent) => {
  expect(versionsOf(agent)).toContain(packages[agent].version)
  expect(versionsOf(agent).length).toBeGreaterThanOrEqual(2)
  expect(knownAgents[agent].tested).toEqual([versionsOf(agent)[0], versionsOf(agent).at(-1)])
})

describe.each(recorded)('the transcripts of $agent $version', ({ agent, version }) => {
  const transcripts = readTranscripts(agent, version)

  test('are those of the scenarios', () => {
    const expected = scenariosFor(agent, version).map(({ name }) => name)
    expect(transcripts.map(({ scenario }) => scenario).toSorted()).toEqual(expected.toSorted())
    for (const transcript of transcripts) expect(transcript).toMatchObject({ agent, version })
  })

  test.each(transcripts)(
    '$scenario is small, names no machine, and each line that looks like an event is one',
    (one) => {
      const path = transcriptFile(agent, version, one.scenario)
      expect(statSync(path).size).toBeLessThan(64 * 1024)
      const text = readFileSync(path, 'utf8')
      const hosts = [...text.matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
      expect(hosts.filter((host) => host !== '127.0.0.1' && host !== 'example.com')).toEqual([])
      expect(text).not.toMatch(/\/(root|tmp\/pawl|Users)\b|sk-[A-Za-z0-9]/)
      const events = one.stdout.split('\n').filter((line) => line.startsWith('{'))
      for (const event of events) expect(JSON.parse(event)).toEqual(expect.any(Object))
    },
  )
})
