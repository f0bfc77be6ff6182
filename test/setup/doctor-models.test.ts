import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { modelFindings } from '../../src/setup/doctor/models.ts'
import { startModelServer } from '../support/model-server.ts'
import { scratch } from './init/fixture.ts'

const nowhere = '127.0.0.1:9'
const keys = { XAI_API_KEY: 'xai-key-of-a-person', ANTHROPIC_API_KEY: 'anthropic-key-of-a-person' }

function machineWith(ladder: readonly unknown[] | undefined, env: Record<string, string>) {
  const { environment, machine } = scratch({}, env)
  if (ladder) {
    mkdirSync(join(environment.home, '.config', 'pawl'), { recursive: true })
    writeFileSync(join(environment.home, '.config', 'pawl', 'config.yml'), stringify({ ladder }))
  }
  return machine
}

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('each model of the ladder is a finding: what answers, what does not, what to do', async () => {
  const server = await startModelServer(() => ({}), { models: ['llama3.1:70b', 'claude-sonnet-4-5-20250929'] })
  onTestFinished(() => server.close())
  const env = {
    OLLAMA_HOST: server.host,
    XAI_BASE_URL: `http://${nowhere}/v1`,
    ANTHROPIC_BASE_URL: server.url,
    ...keys,
  }
  const machine = machineWith(
    ['ollama', { id: 'small', provider: 'ollama', model: 'qwen3:4b' }, 'grok', 'claude', 'agent:codex'],
    env,
  )
  const findings = await modelFindings(machine, new Date('2026-11-15'))
  expect(findings).toEqual([
    { check: 'model ollama', status: 'ok', says: 'Llama 3.1 70B: answers, and has llama3.1:70b' },
    {
      check: 'model small',
      status: 'weak',
      says: 'qwen3:4b: answers, but has no qwen3:4b',
      fix: 'ollama pull qwen3:4b',
    },
    {
      check: 'model grok',
      status: 'weak',
      says: 'Grok 4.1: no connection: ECONNREFUSED',
      fix: 'check XAI_BASE_URL and the network',
    },
    {
      check: 'model claude',
      status: 'ok',
      says: 'Claude Sonnet 4.5: answers, and has claude-sonnet-4-5-20250929',
      fix: 'its vendor retires it on 2026-11-30; use claude-sonnet-5-5 instead',
    },
    {
      check: 'model agent:codex',
      status: 'weak',
      says: 'codex: no such program: codex',
      fix: 'npm install -g @openai/codex',
    },
  ])
  const later = await modelFindings(machine, new Date('2026-12-01'))
  expect(later.map(({ status }) => status)).toEqual(['ok', 'weak', 'weak', 'weak', 'weak'])
})

test('a model that does not answer fails where it is the only one that somebody named, and is absent where nobody did', async () => {
  const env = { OLLAMA_HOST: nowhere }
  const [chosen] = await modelFindings(machineWith(['ollama'], env))
  expect(chosen).toMatchObject({ status: 'fail', fix: expect.stringContaining('ollama serve') })
  const [unchosen] = await modelFindings(machineWith(undefined, env))
  expect(unchosen).toMatchObject({
    check: 'model ollama',
    status: 'absent',
    says: expect.stringContaining('needed only for the command refine'),
  })
  const [broken] = await modelFindings(machineWith([{ id: 'ours', model: 'x' }], env))
  expect(broken).toMatchObject({
    check: 'models',
    status: 'fail',
    says: expect.stringContaining('ours needs provider'),
  })
})

test('a key that is missing or refused is told with its variable', async () => {
  const server = await startModelServer(() => ({}), { key: 'another' })
  onTestFinished(() => server.close())
  const ours = {
    id: 'ours',
    provider: 'openai-compatible',
    model: 'served',
    base_url: `${server.url}/v1`,
    key_env: 'OURS_KEY',
  }
  const machine = machineWith(['grok', ours], { OURS_KEY: 'wrong' })
  const [grok, own] = await modelFindings(machine)
  expect(grok).toMatchObject({ status: 'weak', fix: 'set XAI_API_KEY to a key from console.x.ai' })
  expect(own).toMatchObject({ status: 'weak', says: 'served: refuses the key (HTTP 401)', fix: 'set OURS_KEY' })
})

test('all are asked at once, nobody is waited for longer than 3 s, and nothing of a person is sent', {
  retry: 2,
}, async () => {
  const seen: IncomingMessage[] = []
  const silent = await listen((request) => void seen.push(request))
  const ladder = [1, 2, 3].map((number) => ({
    id: `silent-${number}`,
    provider: 'openai-compatible',
    model: 'marker-model',
    base_url: `http://${silent}/v1`,
  }))
  const began = performance.now()
  const findings = await modelFindings(machineWith(ladder, keys))
  expect(performance.now() - began).toBeLessThan(4000)
  expect(findings.map(({ says }) => says)).toEqual(Array(3).fill('marker-model: no answer within 3 s'))
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(3).fill('GET /v1/models'))
  for (const { headers } of seen) expect(Object.keys(headers)).not.toContain('authorization')
  expect(JSON.stringify(seen.map(({ headers }) => headers))).not.toMatch(/marker-model|key-of-a-person/)
})
