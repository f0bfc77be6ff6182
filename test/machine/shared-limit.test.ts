import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { fileTools } from '../../src/adapters/stores/files/disk.ts'
import { createLimitSharing, forgetLimit } from '../../src/machine/agents.ts'
import { openShared } from '../../src/machine/open-machine.ts'
import type { Agent, AgentReport } from '../../src/ports/agent.ts'
import type { Environment } from '../../src/run/machine.ts'

const never = new AbortController().signal
const request = { run: 'r', task: 't', attempt: 1, cwd: '/', prompt: { text: '' }, log: '/log' }
const ok: AgentReport = {
  status: 'ok',
  exitCode: 0,
  usage: { tokens: 5, costUsd: 1 },
  providerMs: 1,
  denied: 0,
  lastMessage: '',
}
const limit = (retryAt: number): AgentReport => ({ ...ok, status: 'unavailable', fault: 'limit', retryAt })

let home: string
let asked: number
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'pawl-limit-'))
  asked = 0
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
})

const place = (env: Environment['env'] = {}): Environment => {
  const stateFolder = join(home, '.local', 'state', 'pawl')
  return { program: 'pawl', cwd: home, env, home, folder: '.pawl', stateFolder }
}
const shared = () => openShared(place(), fileTools)
const agentThat = (report: AgentReport, name = 'claude'): Agent => ({
  name,
  run: () => {
    asked++
    return Promise.resolve(report)
  },
})
const run = (report: AgentReport, { now = 1000, env = {}, name = 'claude' } = {}) =>
  createLimitSharing(agentThat(report, name), place(env), shared(), () => now).run(request, never)

test('what one run has met, another one knows without asking, until it is over', async () => {
  await run(limit(5000))
  expect(await run(ok)).toMatchObject({ status: 'unavailable', fault: 'limit', retryAt: 5000, usage: { tokens: 0 } })
  expect(asked).toBe(1)
  expect(await run(ok, { now: 5000 })).toMatchObject({ status: 'ok' })
  expect(asked).toBe(2)
})

test('a success, or a person who will not wait, forgets it', async () => {
  await run(limit(5000))
  await forgetLimit(place(), shared(), 'claude')
  expect((await run(ok)).status).toBe('ok')
  await run(limit(5000))
  await run(ok, { now: 6000 })
  expect((await run(ok, { now: 1000 })).status).toBe('ok')
})

test('another account and another agent are not held back', async () => {
  await run(limit(5000))
  expect((await run(ok, { env: { ANTHROPIC_API_KEY: 'another-key-0000' } })).status).toBe('ok')
  expect((await run(ok, { name: 'codex' })).status).toBe('ok')
})

test('a command with an unknown account shares nothing', async () => {
  await run(limit(5000), { name: 'command' })
  expect((await run(ok, { name: 'command' })).status).toBe('ok')
})

test('a limit without a moment is not shared; a damaged file is none', async () => {
  await run({ ...limit(0), retryAt: undefined })
  expect((await run(ok)).status).toBe('ok')
  await run(limit(5000))
  const folder = join(home, '.local', 'state', 'pawl', 'limits')
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), '{"until":')
  expect((await run(ok)).status).toBe('ok')
})
