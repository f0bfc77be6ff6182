import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelFault } from '../../../src/ports/model.ts'
import type { FaultName } from '../../support/model-faults.ts'
import { type ModelServer, type ServedAnswer, startModelServer } from '../../support/model-server.ts'
import { ask, envFor, httpProviders, keys, modelAt, moment, rungFor } from './places.ts'

let server: ModelServer
let given: ServedAnswer = {}
let came = (): void => {}
beforeAll(async () => (server = await startModelServer(() => given, { onCall: () => came() })))
afterAll(() => server.close())

/** Only where something is to be waited for: a slow machine must not come near it elsewhere. */
const short = { limitMs: 400, silenceMs: 150 }
const long = { limitMs: 20_000, silenceMs: 10_000 }

const table: readonly (readonly [FaultName, ModelFault, typeof long])[] = [
  ['limit', 'limit', long],
  ['limit-untold', 'limit', long],
  ['error', 'provider', long],
  ['overloaded', 'provider', long],
  ['bad-request', 'request', long],
  ['too-large', 'request', long],
  ['unprocessable', 'request', long],
  ['login', 'login', long],
  ['forbidden', 'login', long],
  ['no-model', 'model', long],
  ['redirect', 'provider', long],
  ['reset', 'provider', long],
  ['stall', 'provider', short],
  ['stall-after-headers', 'provider', short],
  ['stall-amid', 'provider', short],
  ['trickle', 'provider', short],
  ['cut', 'provider', long],
  ['cut-quietly', 'provider', long],
  ['trouble-amid', 'provider', long],
  ['limit-amid', 'limit', long],
  ['html', 'provider', long],
  ['not-json', 'provider', long],
  ['wrong-schema', 'provider', long],
  ['endless', 'provider', long],
  ['endless-line', 'provider', long],
]
const amid: readonly FaultName[] = ['stall-amid', 'cut', 'cut-quietly', 'trouble-amid', 'limit-amid', 'endless']

/** No model has worked for these. */
const turnedAway: readonly FaultName[] = table.flatMap(([fault, as]) =>
  as === 'request' || as === 'login' || as === 'model' || /^(limit|limit-untold|error|overloaded)$/.test(fault)
    ? [fault]
    : [],
)
const words: Partial<Record<FaultName, string>> = {
  trickle: 'took longer than 0.4 s',
  stall: 'silent for 0.15 s',
  endless: 'longer than 4194304 bytes',
  'endless-line': 'longer than 4194304 bytes',
  redirect: 'redirects are not followed',
  limit: 'HTTP 429',
}

describe.each(httpProviders)('a server of %s', (provider) => {
  test.each(table)('that does %s is at fault: %s', async (fault, expected, bounds) => {
    const secret = `${keys.xai} ${keys.anthropic} ${keys.other}`
    const says = `\u001b[31mno\u0000 ${secret}\n${Buffer.from(keys.xai).toString('base64')} "${prompt}" ${'long '.repeat(500)}`
    given = { fault, says, everyMs: 20, headers: { location: `${server.url}/v1/elsewhere` } }
    const before = server.calls.length
    const reply = await ask(modelAt(provider, server.url), { prompt, ...bounds })
    expect(reply).toMatchObject({ fault: expected, status: statusFor(expected) })
    expect(server.calls.length).toBe(before + 1)
    expect(reply.text.startsWith('It begins well')).toBe(amid.includes(fault))
    expect(reply.detail).toMatch(/^[^\p{Cc}]{5,300}$/u)
    expect(reply.detail).toContain(words[fault] ?? '')
    expect(reply.usage).toMatchObject(turnedAway.includes(fault) ? { tokens: 0, costUsd: 0 } : { estimated: true })
    const told = reply.detail!.toLowerCase()
    const own = { ollama: 'nothing', xai: keys.xai, anthropic: keys.anthropic, 'openai-compatible': keys.other }[
      provider
    ]
    for (const secretPart of [own.slice(0, 10), own.slice(-10), 'marker-in-the-prompt'])
      expect(told).not.toContain(secretPart)
  })

  test('that keeps the connection open after its answer is ok', async () => {
    given = { fault: 'held-open', text: 'All of it.' }
    const reply = await ask(modelAt(provider, server.url), provider === 'xai' ? short : long)
    // xAI's own stream has no last word that could be known from outside.
    if (provider !== 'xai') expect(reply).toMatchObject({ status: 'ok' })
    expect(reply.text).toBe('All of it.')
  })

  test('that says when to retry is respected', async () => {
    given = { fault: 'limit', headers: { 'retry-after': '30' } }
    expect((await ask(modelAt(provider, server.url))).retryAt).toBe(moment + 30_000)
    given = { fault: 'limit-untold' }
    expect((await ask(modelAt(provider, server.url))).retryAt).toBeUndefined()
  })

  test('can be left at every moment', async () => {
    const cases: readonly [ServedAnswer, 'called' | 'text'][] = [
      [{ fault: 'stall' }, 'called'],
      [{ fault: 'stall-after-headers' }, 'called'],
      [{ fault: 'stall-amid' }, 'text'],
      [{ fault: 'endless' }, 'text'],
    ]
    for (const [answer, when] of cases) {
      given = answer
      const leaving = new AbortController()
      if (when === 'called') came = () => leaving.abort('enough')
      const onText = (): void => leaving.abort('enough')
      const reply = await ask(
        modelAt(provider, server.url),
        { ...long, ...(when === 'text' && { onText }) },
        leaving.signal,
      )
      came = () => {}
      expect(reply).toMatchObject({ status: 'failed', fault: 'stopped' })
      expect(reply.usage.estimated).toBe(true)
      expect(reply.usage.tokens).toBeGreaterThan(3)
      await expect.poll(() => server.connections()).toBe(0)
    }
  })

  test('is not called by who has left before', async () => {
    const before = server.calls.length
    const reply = await ask(modelAt(provider, server.url), {}, AbortSignal.abort())
    expect(reply).toMatchObject({ status: 'failed', fault: 'stopped', sentBytes: 0, usage: { tokens: 0, costUsd: 0 } })
    expect(server.calls.length).toBe(before)
  })

  test('that has answered is not changed by leaving then', async () => {
    given = { text: 'done' }
    const leaving = new AbortController()
    const reply = await ask(modelAt(provider, server.url), {}, leaving.signal)
    leaving.abort()
    expect(reply).toMatchObject({ status: 'ok', text: 'done' })
  })

  test('that is not running cannot be connected to, and costs nothing', async () => {
    const closed = await closedPort()
    const reply = await ask(modelAt(provider, `http://127.0.0.1:${closed}`))
    expect(reply).toMatchObject({ fault: 'provider', sentBytes: 0, usage: { tokens: 0, costUsd: 0 } })
    expect(reply.detail).toContain('ECONNREFUSED')
  })
})

const prompt = 'marker-in-the-prompt, which must not be told'

const statusFor = (fault: ModelFault): string =>
  ['limit', 'provider', 'login', 'model'].includes(fault) ? 'unavailable' : 'failed'

test('a server that speaks no TLS where some is expected is not there', async () => {
  const https = server.url.replace('http:', 'https:')
  const env = { ...envFor(server.url), XAI_BASE_URL: `${https}/v1` }
  expect(await ask(modelAt('xai', server.url, env))).toMatchObject({ fault: 'provider', sentBytes: 0 })
})

test('a server that speaks no HTTP is not there', async () => {
  const talker = createServer((socket) => socket.on('error', () => {}).end('220 mail.example ESMTP\r\n'))
  const { promise, resolve } = Promise.withResolvers<void>()
  talker.listen(0, '127.0.0.1', resolve)
  await promise
  const { port } = talker.address() as { port: number }
  expect(await ask(modelAt('ollama', `http://127.0.0.1:${port}`))).toMatchObject({ fault: 'provider' })
  talker.close()
})

test('a key does not follow a redirect', async () => {
  const other = await startModelServer(() => ({ text: 'thank you' }))
  given = { fault: 'redirect', headers: { location: `${other.url}/v1/chat/completions` } }
  const reply = await ask(modelAt('openai-compatible', server.url))
  expect(reply).toMatchObject({ fault: 'provider', detail: 'HTTP 307: redirects are not followed' })
  expect(other.calls).toEqual([])
  await other.close()
})

test('no proxy is taken from variables', async () => {
  given = { text: 'straight' }
  process.env.HTTP_PROXY = process.env.http_proxy = `http://127.0.0.1:${await closedPort()}`
  process.env.NODE_USE_ENV_PROXY = '1'
  expect(await ask(modelAt('ollama', server.url))).toMatchObject({ status: 'ok', text: 'straight' })
  for (const name of ['HTTP_PROXY', 'http_proxy', 'NODE_USE_ENV_PROXY']) delete process.env[name]
})

test('two failures at once do not mix', async () => {
  given = { fault: 'stall' }
  const leaving = new AbortController()
  const left = ask(modelAt('ollama', server.url), long, leaving.signal)
  const silent = ask(modelAt('xai', server.url), short)
  leaving.abort()
  expect(await left).toMatchObject({ fault: 'stopped' })
  expect(await silent).toMatchObject({ fault: 'provider', detail: 'silent for 0.15 s' })
})

test('a model that is local by its word and far by its address is not asked', async () => {
  const rung = rungFor('ollama', server.url)
  expect(rung.local).toBe(true)
  const reply = await ask(modelAt('ollama', server.url, { OLLAMA_HOST: 'gpu.example:11434' }))
  expect(reply).toMatchObject({ status: 'failed', fault: 'request', sentBytes: 0 })
})

async function closedPort(): Promise<number> {
  const listener = createServer()
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done))
  const { port } = listener.address() as { port: number }
  await new Promise((done) => listener.close(done))
  return port
}
