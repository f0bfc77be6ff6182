import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

const folder = mkdtempSync(join(tmpdir(), 'pawl-readers-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shell = createShell({ secrets: [], isolation: 'off' })
const never = new AbortController().signal
const artifacts = { adopt: () => Promise.resolve(undefined) }
const recordings = new URL('../../agents/transcripts/', import.meta.url)

const transcriptsOf = (agent: AgentName): (AgentTranscript & { changed: readonly string[] })[] =>
  readdirSync(new URL(`${agent}/`, recordings)).map((name) =>
    JSON.parse(readFileSync(new URL(`${agent}/${name}`, recordings), 'utf8')),
  )

/** A real process that prints what the real agent printed, then ends as it ended or, where that was killed, hangs. */
async function play(
  agent: AgentName,
  transcript: AgentTranscript,
  seen: Progress[] = [],
  now: () => number = Date.now,
): Promise<AgentReport> {
  const [out, err] = [join(folder, 'out'), join(folder, 'err')]
  writeFileSync(out, transcript.stdout)
  writeFileSync(err, transcript.stderr)
  const end = transcript.exitCode === null ? 'exec sleep 60' : `exit ${transcript.exitCode}`
  const program = createCommandAgent(shell, artifacts, {
    name: agent,
    argv: ['sh', '-c', `cat '${out}'; cat '${err}' >&2; ${end}`],
    env: { PATH: process.env.PATH! },
    silenceMs: 2000,
    troubleMs: 300,
    now,
    newReader: readers[agent],
  })
  const request = { run: 'r', task: 't', attempt: 1, cwd: folder, prompt: { text: 'do it' }, log: join(folder, 'log') }
  return program.run({ ...request, onProgress: (progress) => seen.push(progress) }, never)
}

// The provider of the recordings counted 1,000 and 20 tokens for the first call, 1,100 and 21 for the second.
const tokens = { 'writes-file': 2141, shell: 2141, 'text-only': 1020, echo: 1020 }
const gaps = {
  claude: {},
  codex: { 'denied-shell': 'a command that its own sandbox refused leaves no trace in its output' },
  opencode: { 'limit-long': 'it waits for the limit without a word, until the silence is too long' },
}

describe.each(Object.keys(gaps) as AgentName[])('%s', (agent) => {
  const subject = { transcripts: transcriptsOf(agent), tokens, gaps: gaps[agent] }
  for (const { name, check } of agentSuite({ ...subject, play: (transcript) => play(agent, transcript) })) {
    test(name, check)
  }

  test('reports activity as it happens, file names included', async () => {
    const seen: Progress[] = []
    await play(agent, transcriptsOf(agent).find(({ scenario }) => scenario === 'writes-file')!, seen)
    expect(seen.some(({ says }) => says.includes('made.txt'))).toBe(true)
    expect(seen.every(({ says }) => !says.includes('\n') && says.length < 400)).toBe(true)
  })

  test('output that was cut anywhere is never a success', async () => {
    const whole = transcriptsOf(agent).find(({ scenario }) => scenario === 'writes-file')!
    const lines = whole.stdout.trimEnd().split('\n')
    const last = lines.findLastIndex((line) => /"(?:result|turn\.completed|step_finish)"/.test(line))
    for (let kept = 0; kept <= last; kept++) {
      const stdout = `${lines.slice(0, kept).join('\n')}\n${lines[kept]!.slice(0, -5)}`
      const report = await play(agent, { ...whole, stdout })
      expect([kept, report.status]).toEqual([kept, 'failed'])
    }
  })

  test('lines that are no events, or hostile ones, are passed over', async () => {
    const whole = transcriptsOf(agent).find(({ scenario }) => scenario === 'text-only')!
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
    expect(report).toMatchObject({ status: 'ok', usage: { tokens: 1020 } })
  })
})

test('claude and codex tell when a usage limit ends', async () => {
  const at = Date.UTC(2100, 0, 1)
  for (const agent of ['claude', 'codex'] as const) {
    const limited = transcriptsOf(agent).find(({ scenario }) => scenario === 'usage-limit')!
    const report = await play(agent, limited, [], () => at - 3_600_000 * 30)
    const zone = agent === 'codex' ? new Date(2100, 0, 1).getTime() : at
    expect(report.retryAt).toBe(zone)
  }
})

test('claude reports cost, opencode the cost from its config, codex none', async () => {
  const cost = async (agent: AgentName) =>
    (await play(agent, transcriptsOf(agent).find(({ scenario }) => scenario === 'writes-file')!)).usage.costUsd
  expect(await cost('claude')).toBeCloseTo(0.00618, 5)
  expect(await cost('opencode')).toBeCloseTo(0.004755, 5)
  expect(await cost('codex')).toBeNull()
})
