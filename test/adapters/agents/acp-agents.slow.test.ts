import { type StdioOptions, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AnyMessage } from '@agentclientprotocol/sdk'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { converse } from '../../../src/adapters/acp/converse.ts'
import { readAcp } from '../../../src/adapters/agents/acp.ts'
import { type CommandAgentOptions, createCommandAgent } from '../../../src/adapters/agents/command.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'
import type { Progress } from '../../../src/contract/progress.ts'
import type { BridgeEvent } from '../../../src/ports/bridge.ts'

const bridge = fileURLToPath(new URL('../../../src/adapters/acp/bridge.ts', import.meta.url))
const agent = fileURLToPath(new URL('fixtures/acp-agent.ts', import.meta.url))
const shell = createShell({ secrets: [], isolation: 'off' })
const never = new AbortController().signal

let folder: string
let seen: Progress[]
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-acp-')))
  seen = []
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(command: readonly string[], signal = never, more: Partial<CommandAgentOptions> = {}) {
  const options = {
    name: 'acp',
    argv: [process.execPath, bridge, ...command] as const,
    env: { PATH: process.env.PATH! },
    now: Date.now,
    newReader: readAcp,
    ...more,
  }
  const request = {
    run: 'r',
    task: 't',
    attempt: 1,
    cwd: folder,
    prompt: { text: 'Do\nit.' },
    log: join(folder, 'log'),
  }
  const artifacts = { adopt: () => Promise.resolve(undefined) }
  const onProgress = (progress: Progress) => void seen.push(progress)
  return createCommandAgent(shell, artifacts, options).run({ ...request, onProgress }, signal)
}
const play = (manner: string, signal = never) => run([process.execPath, agent, manner], signal)
const heard = () => readFileSync(join(folder, 'heard.txt'), 'utf8').trim().split('\n')
const isAlive = (pid: number) => existsSync(`/proc/${pid}`)
const says = () => seen.map((progress) => progress.says)

test('the agent gets the prompt in a session of its own, may work, and is understood', async () => {
  const report = await play('works')
  expect(report).toMatchObject({ status: 'ok', exitCode: 0, denied: 0 })
  expect(report.lastMessage.trim()).toBe('All done.\n<promise>SUCCESS</promise>')
  expect(report.usage).toEqual({ tokens: 1121, costUsd: 0.25, estimated: true })
  expect(heard().slice(1)).toEqual([`session in ${folder}`, 'allow_once'])
  expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('made\n')
  expect(says()).toEqual(
    expect.arrayContaining(['I was asked: Do', 'it.', 'write made.txt', 'Was that all?', 'All done.']),
  )
})

test('what can only be allowed for good is allowed for good', async () => {
  expect(await play('always')).toMatchObject({ status: 'ok', denied: 0 })
  expect(heard()).toContain('allow_always')
})

test('where only rejections are offered, one is chosen and counted', async () => {
  expect(await play('denied')).toMatchObject({ status: 'ok', denied: 1 })
  expect(heard()).toContain('reject_always')
  expect(existsSync(join(folder, 'made.txt'))).toBe(false)
  expect(says()).toContain('denied: Write made.txt')
})

test.each([
  ['refuses', 'failed', undefined, 'exit 1; the agent stopped: refusal'],
  ['fails', 'failed', undefined, 'exit 1; Internal error: the cable is unplugged'],
  ['stranger', 'failed', 'login', 'exit 1; Authentication required'],
  ['limited', 'unavailable', 'limit', 'exit 1; Internal error: 429 Too Many Requests'],
  ['dies', 'failed', undefined, 'exit 1; the agent exited before it finished (exit 3)'],
  ['closes', 'failed', undefined, 'exit 1; ACP connection closed'],
  ['garbage', 'failed', undefined, 'exit 1; the agent does not speak the Agent Client Protocol'],
  ['endless', 'failed', undefined, 'exit 1; the agent printed a line longer than 32 MiB'],
  ['newer', 'failed', undefined, 'exit 1; the agent speaks version 2 of the Agent Client Protocol, not 1'],
])('an agent that %s: %s', async (manner, status, fault, detail) => {
  const report = await play(manner)
  expect([report.status, report.fault, report.detail]).toEqual([status, fault, detail])
})

test.each([
  ['Internal error: invalid x-api-key', 'login'],
  ['Internal error: Incorrect API key provided: none', 'login'],
  ['Internal error: 401 Unauthorized', 'login'],
  ['Internal error: Not logged in', 'login'],
  ['Internal error: 503 Service Unavailable', 'provider'],
  ['Internal error: the test of the api key module is invalid', undefined],
  ['Internal error: 4010 lines are too many', undefined],
])('an error "%s" is a matter of: %s', (message, fault) => {
  const reader = readAcp()
  reader.line(JSON.stringify({ type: 'error', code: -32603, message } satisfies BridgeEvent))
  expect(reader.result().fault).toBe(fault)
})

test('output from before a crash is preserved', async () => {
  expect((await play('dies')).lastMessage).toBe('I will begin by')
})

test('who does not answer in time is given up', async () => {
  const silent = { readable: new ReadableStream(), writable: new WritableStream() }
  const conversation = { cwd: folder, prompt: 'do it', emit: () => {}, readyMs: 20 }
  await expect(converse(silent, conversation, never)).rejects.toThrow('no answer to initialize within 0.02 s')
})

test('a missing program is reported as missing', async () => {
  const report = await run(['pawl-no-such-agent'])
  expect(report).toMatchObject({ status: 'failed', detail: 'exit 1; spawn pawl-no-such-agent ENOENT' })
})

test('a program that echoes its input is not an agent', async () => {
  expect(await run(['cat'])).toMatchObject({ status: 'failed', detail: 'exit 1; "Method not found": initialize' })
})

test('a greeting on the wrong stream is forgiven, and shown', async () => {
  expect(await play('greets')).toMatchObject({ status: 'ok' })
  expect(says()).toEqual(expect.arrayContaining(['Welcome!', '{"level":"info"}']))
})

describe('the bridge alone, without a supervising shell', () => {
  const cross = (manner: string) => {
    const words = [bridge, process.execPath, agent, manner]
    const stdio: StdioOptions = ['pipe', 'pipe', 'ignore']
    const { status } = spawnSync(process.execPath, words, { cwd: folder, input: 'do it', stdio, timeout: 200_000 })
    const pids = heard().flatMap((line) => (line.startsWith('pid ') ? Number(line.slice(4)) : []))
    return { status, pids }
  }

  test('ends an agent that ignores signals', () => {
    const { status, pids } = cross('deaf')
    expect([status, pids.map(isAlive)]).toEqual([0, [false]])
    expect(heard()).toContain('SIGTERM')
  })

  test('does not wait for processes that the agent left behind', () => {
    const { status, pids } = cross('strays')
    onTestFinished(() => void process.kill(pids[1]!, 'SIGKILL'))
    expect([status, pids.map(isAlive)]).toEqual([0, [false, true]])
  })
})

test('updates in one chunk are reported in order, each message on its own lines', async () => {
  const events: BridgeEvent[] = []
  const say = (text: string, messageId: string) => {
    const update = { sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } }
    return { method: 'session/update', params: { sessionId: 's', update } }
  }
  const answers: Readonly<Record<string, readonly object[]>> = {
    initialize: [{ result: { protocolVersion: 1 } }],
    'session/new': [{ result: { sessionId: 's' } }],
    'session/prompt': [
      say('one', 'a'),
      say('two', 'b'),
      { result: { stopReason: 'end_turn', usage: { totalTokens: 7 } } },
    ],
  }
  const replies = new TransformStream<AnyMessage, AnyMessage>({
    transform(message, replies) {
      const { id, method } = message as { id: number; method: string }
      for (const answer of answers[method] ?? []) {
        replies.enqueue({ jsonrpc: '2.0', ...('result' in answer && { id }), ...answer } as AnyMessage)
      }
    },
  })
  const conversation = { cwd: folder, prompt: 'do it', emit: (event: BridgeEvent) => void events.push(event) }
  expect(await converse(replies, conversation, never)).toBe('end_turn')
  expect(events).toEqual([
    { type: 'text', text: 'one\n' },
    { type: 'text', text: 'two' },
    { type: 'usage', tokens: 7, costUsd: null },
  ])
})

test('tokens and dollars may come apart', () => {
  const reader = readAcp()
  for (const [tokens, costUsd] of [
    [5, null],
    [null, 0.5],
    [9, null],
  ]) {
    reader.line(JSON.stringify({ type: 'usage', tokens, costUsd }))
  }
  reader.line(JSON.stringify({ type: 'usage', tokens: null, costUsd: 0.75 }))
  expect(reader.result().usage).toEqual({ tokens: 9, costUsd: 0.75, estimated: true })
})

test('a flood of output arrives completely', async () => {
  const report = await play('floods')
  expect(report.status).toBe('ok')
  expect(report.lastMessage).toMatch(/19999 x+\nThat was all\.$/)
})

test.each(['cancels', 'waits'])('on stop, the agent is cancelled before it is killed: one that %s', async (manner) => {
  const stop = new AbortController()
  const report = run([process.execPath, agent, manner], stop.signal)
  await expect.poll(says, { timeout: 200_000 }).toContain('I am at it.')
  stop.abort()
  expect(await report).toMatchObject({ status: 'interrupted' })
  expect(heard()).toContain('cancel')
})
