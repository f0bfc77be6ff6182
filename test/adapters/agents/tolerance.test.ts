import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentName } from '../../../src/adapters/agents/dialects.ts'
import type { ReadResult } from '../../../src/adapters/agents/reader.ts'
import { readers } from '../../../src/adapters/agents/readers.ts'
import { packages } from '../../agents/install.ts'
import { readTranscripts, type Transcript, versionsOf } from '../../agents/transcript.ts'

// Other versions of an agent add, drop and rename what they print. These tests do so with the recordings.

const agents = Object.keys(packages) as readonly AgentName[]
const recorded = agents.flatMap((agent) => versionsOf(agent).map((version) => ({ agent, version })))

function read(agent: AgentName, stdout: readonly string[], stderr: string): ReadResult {
  const reader = readers[agent]()
  for (const line of stdout) {
    reader.line(line)
    reader.trouble?.()
  }
  for (const line of stderr.split('\n')) reader.warning?.(line)
  return reader.result()
}

const linesOf = ({ stdout }: Transcript): string[] => stdout.split('\n').filter(Boolean)

type Change = { readonly kind: 'drop' | 'rename' | 'add' | 'noise' | 'cut'; readonly at: number; readonly pick: number }

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('drop', 'rename', 'add', 'noise', 'cut'),
  at: fc.nat(),
  pick: fc.nat(),
})

function apply(lines: readonly string[], { kind, at, pick }: Change): string[] {
  if (lines.length === 0) return []
  const index = at % lines.length
  if (kind === 'noise') return lines.toSpliced(index, 0, noise[pick % noise.length]!)
  return lines.with(index, changeLine(lines[index]!, kind, pick))
}

const noise = [
  'Welcome!',
  '{',
  '{"type":"brand.new","item":{"type":"x"}}',
  '{"msg":{"type":"new"}}',
  'null',
  '[1]',
  '{}',
]

function changeLine(line: string, kind: 'drop' | 'rename' | 'add' | 'cut', pick: number): string {
  if (kind === 'cut') return line.slice(0, pick % line.length)
  const event = parseObject(line)
  if (event === undefined) return line
  if (kind === 'rename') return JSON.stringify({ ...event, type: `${String(event.type)}_2`, msg: undefined })
  const fields = fieldsOf(event)
  const [holder, key] = fields[pick % fields.length] ?? [event, 'none']
  if (kind === 'drop') delete holder[key]
  else holder.added_in_a_later_version = { type: 'text', text: 'x', value: [pick] }
  return JSON.stringify(event)
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

/** Every field of an event, at any depth. */
function fieldsOf(value: unknown): [Record<string, unknown>, string][] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  const own = Array.isArray(value)
    ? []
    : Object.keys(value).map((key): [Record<string, unknown>, string] => [holder, key])
  return [...own, ...Object.values(value).flatMap(fieldsOf)]
}

const isAtMost = (now: number | null, before: number | null): boolean =>
  now === null || (before !== null && now <= before + 1e-9)

/** The events after which an agent may have finished. The first format of codex has none, so any of its lines may be the last. */
const endings: Readonly<Record<AgentName, readonly string[]>> = {
  claude: ['result'],
  codex: ['turn.completed', 'undefined'],
  opencode: ['step_finish', 'tool_use'],
}

describe.each(recorded)('$agent $version, changed at will', ({ agent, version }) => {
  const known = new Map(
    readTranscripts(agent, version).map((one) => {
      const lines = linesOf(one)
      return [one.scenario, { lines, stderr: one.stderr, before: read(agent, lines, one.stderr) }]
    }),
  )
  const changed = fc.record({
    scenario: fc.constantFrom(...known.keys()),
    changes: fc.array(change, { minLength: 1, maxLength: 5 }),
  })

  test('never throws, never reports more than was used, and invents neither work nor faults nor an end', () => {
    const property = fc.property(changed, ({ scenario, changes }) => {
      const { lines, stderr, before } = known.get(scenario)!
      const after = changes.reduce<readonly string[]>(apply, lines)
      const result = read(agent, after, stderr)
      expect(isAtMost(result.usage.tokens, before.usage.tokens)).toBe(true)
      expect(isAtMost(result.usage.costUsd, before.usage.costUsd)).toBe(true)
      expect(result.denied).toBeLessThanOrEqual(before.denied)
      if (before.error === undefined) expect(result.fault).toBeUndefined()
      if (before.worked === false && changes.length === 1) expect(result.worked).toBe(false)
      const mayHaveEnded = after.some((line) => endings[agent].includes(String(parseObject(line)?.type)))
      if (!mayHaveEnded) expect(result.finished).toBe(false)
    })
    fc.assert(property, { numRuns: 400 })
  })
})

describe.each(recorded)('$agent $version', ({ agent, version }) => {
  const transcripts = readTranscripts(agent, version)

  test('a login is missed in the same way when any one field is missing', () => {
    for (const transcript of transcripts.filter(({ scenario }) =>
      ['auth-401', 'no-login', 'no-key'].includes(scenario),
    )) {
      const lines = linesOf(transcript)
      const before = read(agent, lines, transcript.stderr)
      for (const [index, line] of lines.entries()) {
        const optional = fieldsOf(JSON.parse(line)).map(([, key], pick) => [key, pick] as const)
        for (const [key, pick] of optional) {
          if (essential.includes(key)) continue
          const after = read(agent, lines.with(index, changeLine(line, 'drop', pick)), transcript.stderr)
          expect([transcript.scenario, key, after.worked, after.error]).toEqual([
            transcript.scenario,
            key,
            false,
            before.error,
          ])
          expect([key, after.fault]).toEqual([key, before.fault])
        }
      }
    }
  })
})

/** Without these, an event says nothing. */
const essential = ['type', 'msg', 'message', 'error', 'data', 'result']
