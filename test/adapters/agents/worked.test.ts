import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { createCommandAgent } from '../../../src/adapters/agents/command.ts'
import { findReader } from '../../../src/adapters/agents/readers.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'

const folder = mkdtempSync(join(tmpdir(), 'pawl-worked-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const shell = createShell({ secrets: [], isolation: 'off' })
const artifacts = { adopt: () => Promise.resolve(undefined) }
const never = new AbortController().signal

type Output = { readonly out?: readonly (object | string)[]; readonly err?: string; readonly exit?: number }

/** Runs a program that prints these lines, as the agent of that name. */
function run(name: string, { out = [], err = '', exit = 0 }: Output, end = `exit ${exit}`, silenceMs?: number) {
  writeFileSync(join(folder, 'out'), out.map((line) => `${asText(line)}\n`).join(''))
  writeFileSync(join(folder, 'err'), err)
  return runArgv(name, ['sh', '-c', `cat out; cat err >&2; ${end}`], silenceMs)
}

function runArgv(name: string, argv: readonly [string, ...string[]], silenceMs?: number) {
  const options = {
    name,
    argv,
    env: { PATH: process.env.PATH! },
    now: Date.now,
    silenceMs,
    newReader: findReader(name),
  }
  const request = { run: 'r', task: 't', attempt: 1, cwd: folder, prompt: { text: 'do it' } }
  return createCommandAgent(shell, artifacts, options).run(request, never)
}

const asText = (line: object | string): string => (typeof line === 'string' ? line : JSON.stringify(line))

const zero = { input_tokens: 0, output_tokens: 0 }
const message = (text: string, more: object = {}) => ({
  type: 'assistant',
  message: { id: 'm', model: '<synthetic>', content: [{ type: 'text', text }], usage: zero },
  ...more,
})
const result = (text: string, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: true,
  result: text,
  ...more,
})

describe('claude without a login', () => {
  test.each([
    ['by its kind of error', [message('Zzz', { error: 'authentication_failed' }), result('Zzz')]],
    ['2.1.197', [message('Not logged in · Please run /login'), result('Not logged in · Please run /login')]],
    ['2.0.76', [message('Invalid API key · Please run /login'), result('Invalid API key · Please run /login')]],
    ['an expired token', [result('OAuth token has expired. Please obtain a new token or refresh.')]],
    ['a status in words', [result('API Error: 401 {"type":"error","error":{"type":"authentication_error"}}')]],
    ['without is_error', [message('Please run /login'), result('Please run /login', { is_error: undefined })]],
    ['another terminal reason', [result('Not logged in', { terminal_reason: 'completed' })]],
  ])('%s', async (_, out) => {
    const report = await run('claude', { out, exit: 1 })
    expect(report).toMatchObject({ status: 'failed', fault: 'login', worked: false })
    expect(report.detail).toContain((out.at(-1) as { result: string }).result)
  })

  test('in the middle of the work: not logged in, but it worked', async () => {
    const real = {
      id: 'm1',
      model: 'claude-x',
      content: [{ type: 'text', text: 'I begin.' }],
      usage: { input_tokens: 9 },
    }
    const out = [{ type: 'assistant', message: real }, result('Not logged in · Please run /login')]
    expect(await run('claude', { out, exit: 1 })).toMatchObject({ fault: 'login', worked: true })
  })
})

const failed = (text: string) => ({ type: 'turn.failed', error: { message: text } })
const item = (type: string, more: object) => ({ type: 'item.completed', item: { id: 'i', type, ...more } })
const failure = (text: string, more: object = {}) => ({
  type: 'error',
  error: { name: 'X', data: { message: text, ...more } },
})

test.each([
  ['claude', [result('There is an issue with the selected model (nope).')], undefined],
  ['codex', [{ type: 'turn.started' }, failed('Missing environment variable: `LOCAL_KEY`.')], undefined],
  ['codex', [{ type: 'error', message: 'Missing environment variable: `LOCAL_KEY`.' }], undefined],
  ['codex', [item('error', { message: 'x' }), failed('unexpected status 401 Unauthorized: no')], 'login'],
  ['codex', [failed('Not logged in, run `codex login`')], 'login'],
  ['opencode', [failure('Model not found: local/none.')], undefined],
  ['opencode', [failure('invalid key', { statusCode: 401 })], 'login'],
  ['opencode', [failure('No API key found for provider x')], 'login'],
  ['opencode', [{ type: 'error', error: { name: 'ProviderAuthError', message: 'API key is missing' } }], 'login'],
  ['acp', [{ type: 'error', message: 'spawn nope ENOENT' }], undefined],
  ['acp', [{ type: 'error', message: 'Authentication required', code: -32000 }], 'login'],
])('%s that reports only an error did no work: %j', async (name, out, fault) => {
  for (const exit of [0, 1]) {
    const report = await run(name, { out, exit })
    expect(report).toMatchObject({ status: 'failed', worked: false })
    expect(report.fault).toBe(fault)
  }
})

test.each([
  ['claude', "error: unknown option '--nope'", undefined],
  ['codex', "WARNING: no PATH\nerror: unexpected argument '--nope' found\n\n  tip: try --help", undefined],
  ['opencode', '\u001b[91m\u001b[1mError: \u001b[0mno API key found\n    at run (src/x.ts:1:2)', 'login'],
  ['claude', 'Invalid API key · Please run /login', 'login'],
])('%s that only writes to stderr did no work, and is quoted: %s', async (name, err, fault) => {
  const report = await run(name, { err, exit: 1 })
  expect(report).toMatchObject({ status: 'failed', worked: false })
  expect(report.fault).toBe(fault)
  expect(report.detail).toMatch(/^exit 1; (?:error: un|Error: no API key found$|Invalid API key)/)
})

test.each(['err', 'out'] as const)('a help text on std%s is quoted as such', async (stream) => {
  const help = [
    'opencode run [message..]',
    '',
    'Options:',
    '  -h, --help  show help',
    '      --log-level  "ERROR"',
    '  --x  y',
  ]
  const report = await run('opencode', stream === 'err' ? { err: help.join('\n'), exit: 1 } : { out: help, exit: 1 })
  expect(report).toMatchObject({ worked: false, detail: 'exit 1; it printed its usage: opencode run [message..]' })
})

test('plain words on stdout are quoted too, but no events', async () => {
  const report = await run('opencode', { out: ['{"type":"unknown","error":"x"}', 'fatal: no config'], exit: 1 })
  expect(report).toMatchObject({ worked: false, detail: 'exit 1; fatal: no config' })
})

test.each([
  ['claude', [{ type: 'assistant', message: { id: 'm', content: [{ type: 'tool_use', name: 'Write' }] } }]],
  ['codex', [item('reasoning', { text: 'hm' })]],
  ['codex', [item('brand_new', {})]],
  ['opencode', [{ type: 'text', part: { text: 'I begin.' } }]],
  ['opencode', [{ type: 'tool_use', part: { tool: 'bash', state: { status: 'completed' } } }]],
  ['acp', [{ type: 'thought', text: 'hm' }]],
])('%s that replied or called a tool worked, however it ended: %j', async (name, out) => {
  expect(await run(name, { out, exit: 1 })).toMatchObject({ status: 'failed', worked: true })
})

test('silence proves nothing of an agent that was stopped or killed, or that exited with 0', async () => {
  expect(await run('claude', {}, 'exec sleep 60', 50)).toMatchObject({ status: 'timed-out' })
  for (const report of [
    await run('claude', {}, 'exec sleep 60', 50),
    await run('claude', {}, 'kill -9 $$'),
    await run('claude', {}),
  ]) {
    expect(report.status).not.toBe('ok')
    expect(report.worked).toBeUndefined()
  }
})

describe('any other command', () => {
  test('did no work if it could not be started', async () => {
    expect(await runArgv('command', ['pawl-no-such-agent'])).toMatchObject({ status: 'failed', worked: false })
    const missing = await run('command', {}, 'pawl-no-such-agent')
    expect(missing).toMatchObject({ worked: false, exitCode: 127 })
    expect(missing.detail).toMatch(/^exit 127; .*pawl-no-such-agent.*not found/)
    writeFileSync(join(folder, 'plain.txt'), 'text', { mode: 0o644 })
    expect(await run('command', {}, './plain.txt')).toMatchObject({ worked: false, exitCode: 126 })
  })

  test('tells nothing otherwise, but its error is quoted', async () => {
    const report = await run('command', { out: ['hello'], err: 'Error: SOME_KEY is not set\n  at x', exit: 1 })
    expect(report).toMatchObject({ status: 'failed', detail: 'exit 1; Error: SOME_KEY is not set' })
    expect([report.worked, report.fault]).toEqual([undefined, undefined])
    expect((await run('command', { exit: 0 })).worked).toBeUndefined()
  })

  test('a conversation on stdout is not quoted', async () => {
    const out = ['I look.', 'There is an error.', 'I fix it.', 'I test it.', 'It fails.', 'I stop.']
    expect(await run('command', { out, exit: 1 })).toMatchObject({ detail: 'exit 1' })
  })
})
