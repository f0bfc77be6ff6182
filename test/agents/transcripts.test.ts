import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { agentNames, packages } from './install.ts'
import { scenarios } from './scenarios.ts'
import type { Transcript } from './transcript.ts'

const folder = join(import.meta.dirname, 'transcripts')

describe.each(agentNames)('the transcripts of %s', (agent) => {
  const files = readdirSync(join(folder, agent))
  const expected = scenarios.filter(({ only }) => !only || only.includes(agent)).map(({ name }) => `${name}.json`)

  test('are those of the scenarios', () => {
    expect(files.toSorted()).toEqual(expected.toSorted())
  })

  test.each(files)('%s is of the version asked for, and each line of it is an event', (file) => {
    const transcript = read(agent, file)
    expect(transcript).toMatchObject({ agent, version: packages[agent].version, scenario: file.replace('.json', '') })
    for (const line of transcript.stdout.split('\n').filter(Boolean))
      expect(JSON.parse(line)).toHaveProperty('type', expect.any(String))
  })

  test.each(files)('%s is small, and names no machine', (file) => {
    const path = join(folder, agent, file)
    expect(statSync(path).size).toBeLessThan(64 * 1024)
    const hosts = [...readFileSync(path, 'utf8').matchAll(/https?:\/\/([\w.-]+)/g)].map(([, host]) => host)
    expect(hosts.filter((host) => host !== '127.0.0.1' && host !== 'example.com')).toEqual([])
    expect(readFileSync(path, 'utf8')).not.toMatch(/\/(root|tmp\/pawl|Users)\b|sk-[A-Za-z0-9]/)
  })
})

function read(agent: string, file: string): Transcript {
  return JSON.parse(readFileSync(join(folder, agent, file), 'utf8')) as Transcript
}
