import { type AddressInfo, createServer } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownOn, knownRungs, retirements } from '../../src/adapters/models/known.ts'
import { Rung } from '../../src/contract/models.ts'
import { probeRung } from '../../src/machine/probe-rung.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'

const key = 'key-0123456789abcdef'
let server: ModelServer
let env: Record<string, string>
const models = ['llama3.1:70b', 'claude-sonnet-4-5-20250929', 'tiny:latest']
beforeAll(async () => {
  server = await startModelServer(() => ({ text: 'no' }), { models })
  env = {
    OLLAMA_HOST: server.host,
    XAI_BASE_URL: `${server.url}/v1`,
    XAI_API_KEY: key,
    ANTHROPIC_BASE_URL: server.url,
    ANTHROPIC_API_KEY: key,
    PATH: process.env.PATH ?? '',
  }
})
afterAll(() => server.close())

const never = new AbortController().signal
const { ollama, grok, claude } = knownRungs
const probe = (rung: Rung, more: Record<string, string> = {}) =>
  probeRung(rung, { env: { ...env, ...more }, cwd: '/' }, never)

test('a rung that answers and has its model is ok, and no model was asked', async () => {
  expect(await probe(ollama)).toEqual({ ok: true, says: 'answers, and has llama3.1:70b' })
  expect(await probe(claude)).toMatchObject({ ok: true, says: 'answers, and has claude-sonnet-4-5-20250929' })
  expect(await probe({ ...ollama, model: 'tiny' })).toMatchObject({ ok: true })
  expect(server.calls).toEqual([])
})

test('a model that was not pulled comes with the command that pulls it', async () => {
  const probed = await probe({ ...ollama, model: 'llama9:1t' })
  expect(probed).toEqual({
    ok: false,
    answers: true,
    says: 'answers, but has no llama9:1t',
    hint: 'ollama pull llama9:1t',
  })
})

test('a retired model is reported with its replacement', async () => {
  const probed = await probe(grok)
  expect(probed.ok).toBe(true)
  expect(probed.hint).toContain(retirements[grok.model]!.instead)
})

test('a server that is not there, a key that is missing or refused: each with what to do', async () => {
  const gone = await startModelServer(() => ({}))
  await gone.close()
  expect(await probe(ollama, { OLLAMA_HOST: gone.host })).toMatchObject({
    ok: false,
    says: 'no connection: ECONNREFUSED',
    hint: expect.stringContaining('ollama serve') as string,
  })
  expect(await probe(grok, { XAI_API_KEY: '' })).toMatchObject({
    ok: false,
    says: 'XAI_API_KEY is not set',
    hint: expect.stringContaining('XAI_API_KEY') as string,
  })
  const strict = await startModelServer(() => ({}), { key: 'another-key' })
  const refused = await probe(claude, { ANTHROPIC_BASE_URL: strict.url })
  expect(refused).toMatchObject({ ok: false, says: 'refuses the key (HTTP 401)' })
  await strict.close()
})

test('what answers otherwise than a model server is not ok', async () => {
  const odd = await startModelServer(() => ({}))
  const elsewhere: Rung = { ...grok, provider: 'openai-compatible', baseUrl: `${odd.url}/nowhere/v1` }
  expect(await probe({ ...elsewhere, baseUrl: `${odd.url}/v1` })).toMatchObject({ ok: true })
  expect(await probe({ ...ollama, local: false }, { OLLAMA_HOST: `${odd.url}/nowhere` })).toMatchObject({ ok: false })
  await odd.close()
})

test('an agent is looked for, not started', async () => {
  const agent: Rung = { ...claude, provider: 'agent', argv: ['sh'] }
  expect(await probe(agent)).toMatchObject({ ok: true })
  expect(await probe({ ...agent, argv: ['claude'] }, { PATH: '/nowhere' })).toEqual({
    ok: false,
    says: 'no such program: claude',
    hint: 'npm install -g @anthropic-ai/claude-code',
  })
})

test('a silent server is given 3 s', async () => {
  const mute = createServer(() => {})
  await new Promise<void>((listening) => mute.listen(0, '127.0.0.1', listening))
  const { port } = mute.address() as AddressInfo
  const startedAt = performance.now()
  const probed = await probe(ollama, { OLLAMA_HOST: `127.0.0.1:${port}` })
  expect(probed).toMatchObject({ ok: false, says: 'no answer within 3 s' })
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  mute.close()
})

test('an abort ends the probe immediately', async () => {
  const left = await probeRung(ollama, { env, cwd: '/' }, AbortSignal.abort())
  expect(left).toEqual({ ok: false, says: 'stopped' })
})

test('the rungs that are known are rungs, weakest first, with the names of the seeds', () => {
  expect(knownOn).toMatch(/^2026-/)
  for (const rung of Object.values(knownRungs)) expect(Rung.parse(rung)).toEqual(rung)
  expect(Object.values(knownRungs).map(({ label }) => label)).toEqual([
    'Llama 3.1 70B',
    'Grok 4.1',
    'Claude Sonnet 4.5',
  ])
})
