import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type CommandAgentOptions, createCommandAgent } from '../../../src/adapters/agents/command.ts'
import { createShell } from '../../../src/adapters/shell/shell.ts'
import type { AgentRequest } from '../../../src/ports/agent.ts'

const shell = createShell({ secrets: [], isolation: 'off', ladder: { termMs: 100, killMs: 200 } })
const never = new AbortController().signal
const ref = { path: 'log', sha256: 'x', bytes: 1 }
let folder: string
let adopted: string[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'pawl-agent-'))
  adopted = []
  writeFileSync(join(folder, 'prompt.md'), 'do it')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function run(script: string, more: Partial<AgentRequest & CommandAgentOptions> = {}, signal = never) {
  const adopt = async (path: string) => {
    adopted.push(path)
    return ref
  }
  const env = { PATH: process.env.PATH!, GIVEN: 'yes' }
  const options = { name: 'test', argv: ['sh', '-c', script] as const, env, now: Date.now, ...more }
  const request = {
    run: 'run-1',
    task: 'T3',
    attempt: 2,
    cwd: folder,
    prompt: { path: join(folder, 'prompt.md') },
    ...more,
  }
  return createCommandAgent(shell, { adopt }, options).run({ log: join(folder, 'log'), ...request }, signal)
}

test('the prompt on stdin, the names of the story in the environment', async () => {
  const report = await run(
    'cat; echo; echo $PAWL_STORY_ID $PAWL_ATTEMPT $PAWL_RESULT_FILE $PAWL_SCOPE $GIVEN; echo; echo',
  )
  expect(report).toMatchObject({ status: 'ok', exitCode: 0, log: ref })
  expect(report.lastMessage).toBe(`do it\nT3 2 ${join(folder, 'log')}.result.json run-1 yes`)
  expect(readFileSync(join(folder, 'log'), 'utf8')).toContain('do it\n')
  expect(adopted).toEqual([join(folder, 'log')])
  expect(report.providerMs).toBeGreaterThan(0)
})

test('without output there is no log and no message', async () => {
  const report = await run('true')
  expect(report).toMatchObject({ status: 'ok', lastMessage: '', usage: { tokens: null, costUsd: null } })
  expect(report.log).toBeUndefined()
  expect(adopted).toEqual([])
})

test('the last message is bounded', async () => {
  expect((await run('head -c 50000 /dev/zero | tr "\\0" x')).lastMessage).toBe('x'.repeat(8000))
})

test('failures are distinguished', async () => {
  expect(await run('exit 3')).toMatchObject({ status: 'failed', exitCode: 3, detail: 'exit 3' })
  expect(await run('kill -9 $$')).toMatchObject({ status: 'failed', exitCode: null, detail: 'ended by SIGKILL' })
  const missing = await run('', { argv: ['pawl-no-such-agent'] })
  expect(missing).toMatchObject({ status: 'failed', exitCode: null, detail: 'no such program: pawl-no-such-agent' })
  const slow = await run('while :; do echo; sleep 0.01; done', { wallMs: 150 })
  expect(slow).toMatchObject({ status: 'timed-out', detail: 'ran longer than 0.15 s' })
  expect(await run('sleep 60', { silenceMs: 100 })).toMatchObject({
    status: 'timed-out',
    detail: 'no output for 0.1 s',
  })
  expect(await run('sleep 60', {}, AbortSignal.abort())).toMatchObject({ status: 'interrupted' })
  const stop = new AbortController()
  const onProgress = () => stop.abort()
  expect(await run('echo x; sleep 60', { onProgress }, stop.signal)).toMatchObject({ status: 'interrupted' })
})

const tell = (result: unknown) => `echo '${JSON.stringify(result)}' > $PAWL_RESULT_FILE`

test('usage is what the agent reported', async () => {
  const report = await run(tell({ usage: { tokens: 42, cost_usd: 0.25 }, more: 1 }))
  expect(report.usage).toEqual({ tokens: 42, costUsd: 0.25 })
  expect((await run(tell({ usage: { tokens: 0 } }))).usage).toEqual({ tokens: 0, costUsd: null })
})

test.each([
  ['not JSON', 'echo "{" > $PAWL_RESULT_FILE'],
  ['huge', `{ echo '{"usage":{"tokens":1}}'; head -c 70000 /dev/zero | tr "\\0" " "; } > $PAWL_RESULT_FILE`],
  ['wrong types', tell({ usage: { tokens: '9', cost_usd: -1 }, limit: 'soon' })],
  ['a list', tell([1])],
  ['a number', tell(5)],
  ['a link', `echo '{"usage":{"tokens":1}}' > real; ln -s $PWD/real $PAWL_RESULT_FILE`],
  ['a folder', 'mkdir $PAWL_RESULT_FILE'],
  ['a pipe', 'mkfifo $PAWL_RESULT_FILE'],
  ['unreadable bytes', 'head -c 1000 /dev/urandom > $PAWL_RESULT_FILE'],
])('a result file that is %s means unknown usage', async (_, script) => {
  const report = await run(`${script}; exit 1`)
  expect(report).toMatchObject({ status: 'failed', detail: 'exit 1', usage: { tokens: null, costUsd: null } })
})

test('a limit that ends later makes a failure unavailability', async () => {
  const now = () => 1000
  const later = tell({ limit: { reset_at: 1001 } })
  expect(await run(`${later}; exit 1`, { now })).toMatchObject({
    status: 'unavailable',
    retryAt: 1001,
    detail: 'exit 1',
  })
  expect(await run(later, { now })).toMatchObject({ status: 'ok' })
  const past = await run(`${tell({ limit: { reset_at: 1000 } })}; exit 1`, { now })
  expect(past).toMatchObject({ status: 'failed' })
  expect(past.retryAt).toBeUndefined()
})

test('the words of an earlier attempt are not taken for this one', async () => {
  const result = join(folder, 'log.result.json')
  writeFileSync(result, JSON.stringify({ usage: { tokens: 9 }, limit: { reset_at: Date.now() + 1e6 } }))
  expect(await run('exit 1')).toMatchObject({ status: 'failed', usage: { tokens: null } })
  mkdirSync(result)
  await run('true')
  expect(existsSync(result)).toBe(false)
  symlinkSync(join(folder, 'prompt.md'), result)
  await run('true')
  expect(readFileSync(join(folder, 'prompt.md'), 'utf8')).toBe('do it')
})

test('what a killed attempt had spent is read from its output, else from its result file', async () => {
  const log = join(folder, 'log')
  const recover = (newReader?: CommandAgentOptions['newReader']) => {
    const options = { name: 'test', argv: ['true'] as const, env: {}, now: Date.now, newReader }
    return createCommandAgent(shell, { adopt: async () => ref }, options).recover!({ log })
  }
  expect(await recover()).toEqual({ tokens: null, costUsd: null })
  writeFileSync(`${log}.result.json`, '{"usage":{"tokens":900,"cost_usd":0.5}}')
  expect(await recover()).toEqual({ tokens: 900, costUsd: 0.5 })
  writeFileSync(log, '{"spent":1}\nnoise\n{"spent":2}\n{"spen')
  const spent: number[] = []
  const newReader: CommandAgentOptions['newReader'] = () => ({
    line: (text) => {
      if (text.endsWith('}')) spent.push(JSON.parse(text).spent as number)
      return []
    },
    result: () => ({ usage: { tokens: spent.at(-1) ?? null, costUsd: null }, lastMessage: '', denied: 0 }),
  })
  expect(await recover(newReader)).toEqual({ tokens: 2, costUsd: null })
  expect(spent).toEqual([1, 2])
})

test('a log that is a link or a pipe is not read for what was spent', async () => {
  const log = join(folder, 'log')
  symlinkSync('/dev/zero', log)
  const options = { name: 'test', argv: ['true'] as const, env: {}, now: Date.now }
  const agent = createCommandAgent(shell, { adopt: async () => ref }, options)
  expect(await agent.recover!({ log })).toEqual({ tokens: null, costUsd: null })
  rmSync(log)
  spawnSync('mkfifo', [log])
  expect(await agent.recover!({ log })).toEqual({ tokens: null, costUsd: null })
})
