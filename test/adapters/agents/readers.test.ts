import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createCommandAgent } from '../../../src/adapters/agents/command.ts'
import type { AgentName } from '../../../src/adapters/agents/dialects.ts'
import { readers } from '../../../src/adapters/agents/readers.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'
import type { Progress } from '../../../src/contract/progress.ts'
import type { AgentReport } from '../../../src/ports/agent.ts'
import { type AgentTranscript, agentSuite } from '../../../src/testing/agent-suite.ts'
import { packages } from '../../agents/install.ts'
import { readTranscripts, versionsOf } from '../../agents/transcript.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-readers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shell = createShell({ secrets: [], isolation: 'off' })
const never = new AbortController().signal
const artifacts = { adopt: () => Promise.resolve(undefined) }

const transcriptOf = (agent: AgentName, scenario: string, version = packages[agent].version): AgentTranscript =>
  readTranscripts(agent, version).find((one) => one.scenario === scenario)!

/** A real process that prints what the real agent printed, then ends as it ended or, where that was killed, hangs. */
async function play(
  agent: AgentName,
  transcript: AgentTranscript,
  seen: Progress[] = [],
  now: () => number = Date.now,
): Promise<AgentReport> {
  const own = mkdtempSync(join(folder, 'play-'))
  const [out, err] = [join(own, 'out'), join(own, 'err')]
  writeFileSync(out, transcript.stdout)
  writeFileSync(err, transcript.stderr)
  const end = transcript.exitCode === null ? 'exec sleep 60' : `exit ${transcript.exitCode}`
  const program = createCommandAgent(shell, artifacts, {
    name: agent,
    argv: ['sh', '-c', `cat '${out}'; cat '${err}' >&2; ${end}`],
    env: { PATH: process.env.PATH! },
    silenceMs: 3000,
    troubleMs: 300,
    now,
    newReader: readers[agent],
  })
  const request = { run: 'r', task: 't', attempt: 1, cwd: own, prompt: { text: 'do it' }, log: join(own, 'log') }
  return program.run({ ...request, onProgress: (progress) => seen.push(progress) }, never)
}

// The provider of the recordings counted 1,000 and 20 tokens for the first call, 1,100 and 21 for the second.
const tokens = { 'writes-file': 2141, shell: 2141, 'text-only': 1020, echo: 1020 }
/** These make calls to another model by themselves, more or less of them each time. */
const restless = ['claude 2.0.76']
const silent = 'it waits for the limit without a word, until the silence is too long'
const invisible = 'a command that its own sandbox refused leaves no trace in its output'
const gaps: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'codex 0.166.0': { 'denied-shell': invisible },
  'codex 0.42.0': {
    denied: invisible,
    'denied-shell': invisible,
    refusal: 'it reports a refusal as a broken stream',
  },
  'opencode 1.18.33': { 'limit-long': silent },
  'opencode 1.14.41': { 'limit-429': silent, 'usage-limit-later': silent, 'server-error': silent },
  'claude 2.0.76': { 'usage-limit-key': silent },
}
const agents = Object.keys(packages) as readonly AgentName[]
const recorded = agents.flatMap((agent) => versionsOf(agent).map((version) => ({ agent, version })))

describe.each(recorded)('$agent $version', ({ agent, version }) => {
  const id = `${agent} ${version}`
  const subject = {
    transcripts: readTranscripts(agent, version),
    tokens: restless.includes(id) ? {} : tokens,
    gaps: gaps[id] ?? {},
  }
  for (const { name, check } of agentSuite({ ...subject, play: (transcript) => play(agent, transcript) })) {
    // Some of them wait for a silence.
    test.concurrent(name, check)
  }

  test('reports activity as it happens, file names included', async () => {
    const seen: Progress[] = []
    await play(agent, transcriptOf(agent, 'writes-file', version), seen)
    expect(seen.some(({ says }) => says.includes('made.txt'))).toBe(true)
    expect(seen.every(({ says }) => !says.includes('\n') && says.length < 400)).toBe(true)
  })

  test('lines that are no events, or hostile ones, are passed over', async () => {
    const whole = transcriptOf(agent, 'text-only', version)
    const noise = [
      'null',
      '[]',
      '{"type":5}',
      '{"type":"result"}x',
      '{',
      '"',
      '{"type":"toString"}',
      'x'.repeat(2_000_000),
    ]
    const report = await play(agent, { ...whole, stdout: [...noise, whole.stdout].join('\n') })
    expect(report.status).toBe('ok')
    if (!restless.includes(id)) expect(report.usage.tokens).toBe(1020)
  })
})

test.each(agents)('%s: output that was cut anywhere is never a success', async (agent) => {
  const whole = transcriptOf(agent, 'writes-file')
  const lines = whole.stdout.trimEnd().split('\n')
  const last = lines.findLastIndex((line) => /"(?:result|turn\.completed|step_finish)"/.test(line))
  for (let kept = 0; kept <= last; kept++) {
    const stdout = `${lines.slice(0, kept).join('\n')}\n${lines[kept]!.slice(0, -5)}`
    const report = await play(agent, { ...whole, stdout })
    expect([kept, report.status]).toEqual([kept, 'failed'])
  }
})

test('claude and codex tell when a usage limit ends', async () => {
  const at = Date.UTC(2100, 0, 1)
  for (const agent of ['claude', 'codex'] as const) {
    const limited = transcriptOf(agent, 'usage-limit')
    const report = await play(agent, limited, [], () => at - 3_600_000 * 30)
    const zone = agent === 'codex' ? new Date(2100, 0, 1).getTime() : at
    expect(report.retryAt).toBe(zone)
  }
})

test('claude reports cost, opencode the cost from its config, codex none', async () => {
  const cost = async (agent: AgentName) => (await play(agent, transcriptOf(agent, 'writes-file'))).usage.costUsd
  expect(await cost('claude')).toBeCloseTo(0.00618, 5)
  expect(await cost('opencode')).toBeCloseTo(0.004755, 5)
  expect(await cost('codex')).toBeNull()
})

test('denied actions are named in the report, at most five of them and few bytes', async () => {
  const denied = (tool: string, path: string) =>
    JSON.stringify({ type: 'tool_use', part: { tool, state: { status: 'error', input: { path }, error: rejection } } })
  const rejection = 'The user rejected permission to use this specific tool call.'
  const some = { scenario: 'x', stderr: '', exitCode: 0 }
  const named = async (lines: readonly string[]) =>
    (await play('opencode', { ...some, stdout: `${lines.join('\n')}\n` })).denials
  expect(await named([denied('write', 'a'), denied('write', 'a'), denied('bash', 'b')])).toEqual(['write a', 'bash b'])
  expect(await named(Array.from({ length: 9 }, (_, n) => denied('write', `${n}`)))).toHaveLength(5)
  const huge = await named(Array.from({ length: 9 }, (_, n) => denied('write', `${n}${'漢'.repeat(5000)}`)))
  expect(huge!.length).toBeGreaterThan(0)
  expect(Buffer.byteLength(JSON.stringify(huge))).toBeLessThan(700)
})

test('an agent that is stopped while its provider fails says what the provider said', async () => {
  const patient = transcriptOf('claude', 'limit-patient')
  expect((await play('claude', patient)).detail).toMatch(
    /^the provider does not respond; provider error 429: .*retry \d+ of \d+/,
  )
})
