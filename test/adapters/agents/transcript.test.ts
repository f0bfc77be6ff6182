import { describe, expect, test } from 'vitest'
import { createTranscriptReader } from '../../../src/adapters/agents/transcript.ts'
import { describeEntry, type TranscriptEntry } from '../../../src/contract/transcript.ts'
import type { BridgeEvent } from '../../../src/ports/bridge.ts'
import { packages } from '../../agents/install.ts'
import { readTranscripts, versionsOf } from '../../agents/transcript.ts'

const agents = ['claude', 'codex', 'opencode'] as const
type Known = (typeof agents)[number]
const recording = (agent: Known, scenario: string) =>
  readTranscripts(agent, packages[agent].version).find((one) => one.scenario === scenario)!

/** Reads a log as the shell saves it: both streams in one file. */
function read(agent: string, text: string, step = text.length): readonly TranscriptEntry[] {
  const reader = createTranscriptReader(agent)
  const entries: TranscriptEntry[] = []
  for (let at = 0; at < text.length; at += step) entries.push(...reader.read(text.slice(at, at + step)))
  return [...entries, ...reader.end()]
}

function played(agent: Known, scenario: string): readonly TranscriptEntry[] {
  const { stdout, stderr } = recording(agent, scenario)
  return read(agent, stdout + stderr)
}

/** Kind and summary of each entry but usage, which is checked on its own. */
const summary = (entries: readonly TranscriptEntry[]): string[] =>
  entries.flatMap((entry) => (entry.kind === 'usage' ? [] : [`${entry.kind} ${describeEntry(entry)}`]))

describe('a conversation in which a command fails', () => {
  test.each<[Known, string, string]>([
    ['claude', 'tool-call Bash echo checked >checked.txt; cat checked.txt; exit 3', 'tool-result Exit code 3'],
    ['codex', "tool-call $ /bin/bash -lc 'echo checked >checked.txt; cat checked.txt; exit 3'", 'tool-result exit 3'],
    ['opencode', 'tool-call bash echo checked >checked.txt; cat checked.txt; exit 3', 'tool-result checked'],
  ])('of %s has messages, the call and its result', (agent, call, result) => {
    expect(summary(played(agent, 'shell'))).toEqual(['message I will look.', call, result, 'message All done.'])
  })

  test.each(agents)('of %s ends with its tokens', (agent) => {
    const last = played(agent, 'shell').at(-1)
    expect(last).toMatchObject({ kind: 'usage', usage: { tokens: 2141 } })
  })

  test.each(['claude', 'codex'] as const)('of %s says that the call failed and which one it was', (agent) => {
    const entries = played(agent, 'shell')
    const call = entries.find(({ kind }) => kind === 'tool-call') as { id: string }
    expect(call.id).toBeTruthy()
    expect(entries.find(({ kind }) => kind === 'tool-result')).toMatchObject({ failed: true, id: call.id })
  })
})

test.each<[Known, string, string]>([
  ['claude', 'denied', 'denied denied: Write /repo/made.txt'],
  ['claude', 'denied-shell', 'denied denied: Bash echo checked >checked.txt; cat checked.txt; exit 3'],
  [
    'codex',
    'denied',
    'denied denied: patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings',
  ],
  ['opencode', 'denied', 'denied denied: write /repo/made.txt'],
  ['opencode', 'denied-shell', 'denied denied: bash echo checked >checked.txt; cat checked.txt; exit 3'],
])('%s, %s: the denied tool and its argument are named once', (agent, scenario, named) => {
  expect(summary(played(agent, scenario)).filter((line) => line.startsWith('denied'))).toEqual([named])
})

test('a denial that claude reports only in its result is named too', () => {
  const denials = [{ tool_name: 'Write', tool_use_id: 'x', tool_input: { file_path: '/repo/a' } }]
  const line = JSON.stringify({ type: 'result', subtype: 'success', permission_denials: denials })
  expect(summary(read('claude', line))).toEqual(['denied denied: Write /repo/a'])
})

test.each<[Known, string, string]>([
  ['claude', 'auth-401', 'error provider error 401: authentication_failed, retry 2 of 2'],
  ['claude', 'overloaded-529', 'error provider error 529: overloaded, retry 2 of 10'],
  [
    'codex',
    'auth-401',
    'error provider error 401: Unauthorized: invalid x-api-key, url: http://127.0.0.1:4010/v1/responses, retry 2 of 5',
  ],
  [
    'codex',
    'server-error',
    'error provider error: We’re currently experiencing high demand, which may cause temporary errors., retry 2 of 5',
  ],
])('%s, %s: a retry after a provider error has its status, message and number', (agent, scenario, second) => {
  const errors = summary(played(agent, scenario)).filter((line) => line.startsWith('error'))
  expect(errors[1]).toBe(second)
})

test('opencode names the status and the message of the provider', () => {
  expect(summary(played('opencode', 'auth-401'))).toEqual(['error provider error 401: invalid x-api-key'])
})

test('a failed turn of codex is not told twice', () => {
  const errors = summary(played('codex', 'bad-request')).filter((line) => line.startsWith('error'))
  expect(new Set(errors).size).toBe(errors.length)
})

test('the bridge of the Agent Client Protocol is read in the same way', () => {
  const events: readonly (BridgeEvent & { timestamp?: number })[] = [
    { type: 'thought', text: 'Hm.\n', timestamp: 1000 },
    { type: 'text', text: 'I will write.\n' },
    { type: 'tool', title: 'Write', about: 'a.txt' },
    { type: 'result', text: 'no such folder', failed: true },
    { type: 'denied', title: 'Run', about: 'rm -rf x' },
    { type: 'usage', tokens: 5, costUsd: 0.5 },
    { type: 'error', message: 'Internal error: 529 overloaded', code: -32603 },
  ]
  const entries = read('acp', events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  expect(summary(entries)).toEqual([
    'thought Hm.',
    'message I will write.',
    'tool-call Write a.txt',
    'tool-result no such folder',
    'denied denied: Run rm -rf x',
    'error error: Internal error: 529 overloaded',
  ])
  expect(entries[0]!.at).toBe(1000)
  expect(entries.find(({ kind }) => kind === 'usage')).toMatchObject({ usage: { tokens: 5, costUsd: 0.5 } })
})

test.each(['command', 'scripted', 'no-such-agent'])('%s: every line is output', (agent) => {
  expect(read(agent, 'one\n\n  two\n{"type":"text"}\nthree')).toEqual(
    ['one', '  two', '{"type":"text"}', 'three'].map((text) => ({ kind: 'output', text })),
  )
})

test('a line on stderr of an agent with events is output', () => {
  const event = '{"type":"item.completed","item":{"type":"agent_message","text":"hi"}}'
  expect(summary(read('codex', `a warning\n${event}\n`))).toEqual(['output a warning', 'message hi'])
})

test('times come from the agent, where it reports them', () => {
  const events = (agent: Known) =>
    recording(agent, 'shell')
      .stdout.trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; timestamp?: string | number })
  const { timestamp } = events('claude').find(({ type }) => type === 'assistant')!
  expect(played('claude', 'shell')[0]!.at).toBe(Date.parse(String(timestamp)))
  expect(played('opencode', 'shell')[0]!.at).toBe(events('opencode').find(({ type }) => type === 'text')!.timestamp)
  expect(played('codex', 'shell')[0]!.at).toBeUndefined()
})

test.each(agents)('%s: every recording reads the same in pieces of any size', (agent) => {
  for (const version of versionsOf(agent))
    for (const { stdout } of readTranscripts(agent, version))
      expect(read(agent, stdout, 7)).toEqual(read(agent, stdout))
})

test.each(agents)('%s: every recorded version names what it was denied', (agent) => {
  for (const version of versionsOf(agent)) {
    const found = readTranscripts(agent, version).find(({ scenario }) => scenario === 'denied')
    const denied = found ? read(agent, found.stdout + found.stderr).filter(({ kind }) => kind === 'denied') : []
    // Codex 0.42 leaves no trace of it.
    if (found && version !== '0.42.0') expect([version, denied.length]).toEqual([version, 1])
  }
})

test.each(['claude', 'codex', 'opencode', 'acp', 'command'])('%s: hostile lines do no harm and stay small', (agent) => {
  const long = 'x'.repeat(3_000_000)
  const hostile = [
    '{',
    '{"type":',
    'null',
    '{"type":"assistant","message":{"content":[null,5,{"type":"text"}]}}',
    '{"type":"user","message":{"content":"text"}}',
    '{"type":"assistant","timestamp":1e99,"message":{"content":[{"type":"text","text":"late"}]}}',
    '{"type":"item.completed","item":{"type":"command_execution","command":5}}',
    `{"type":"text","text":"${'y'.repeat(500_000)}","part":{"text":"${'y'.repeat(400_000)}"}}`,
    long,
    '\u001b[2J\u0000\ufffd',
  ]
  const entries = read(agent, `${hostile.join('\n')}\n`)
  for (const entry of entries) {
    expect(JSON.stringify(entry).length).toBeLessThan(20_000)
    expect(describeEntry(entry).length).toBeLessThan(400)
    expect(entry.at === undefined || Number.isFinite(new Date(entry.at).getTime())).toBe(true)
  }
})
