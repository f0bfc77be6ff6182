import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ModelServer, type ServedAnswer, startModelServer } from '../../support/model-server.ts'
import { ask, envFor, httpProviders, keys, modelAt } from './places.ts'

let server: ModelServer
let given: ServedAnswer = {}
beforeAll(async () => (server = await startModelServer(() => given)))
afterAll(() => server.close())

describe.each(httpProviders)('a model of %s', (provider) => {
  const model = () => modelAt(provider, server.url)

  test('returns streamed text and its usage', async () => {
    given = { text: 'A whole answer in pieces, with ünï¢öde 🦊🦊.', usage: { input: 100, output: 50 }, pieceLength: 3 }
    const heard: string[] = []
    const reply = await ask(model(), { onText: (text) => heard.push(text) })
    expect(reply).toMatchObject({ status: 'ok', text: given.text })
    expect(heard.join('')).toBe(given.text)
    expect(heard.length).toBeGreaterThan(3)
    const costUsd = provider === 'ollama' ? 0 : 0.0007
    expect(reply.usage).toEqual({ tokens: 150, costUsd })
    expect(reply.sentBytes).toBe(server.calls.at(-1)!.bytes)
    expect(reply.providerMs).toBeGreaterThan(0)
  })

  test('is asked once, as it was asked, with the key in its place', async () => {
    given = { text: 'yes' }
    const before = server.calls.length
    const system = 'You are brief.'
    await ask(model(), { system, prompt: 'Is it so?', maxOutputTokens: 321, temperature: 0.25 })
    expect(server.calls.length).toBe(before + 1)
    const call = server.calls.at(-1)!
    expect(call).toMatchObject({ model: 'served', system, prompt: 'Is it so?', maxTokens: 321, temperature: 0.25 })
    expect(call.stream).toBe(true)
    expect(call.format).toBeUndefined()
    const key = call.headers['x-api-key'] ?? call.headers.authorization
    const expected = { ollama: undefined, xai: `Bearer ${keys.xai}`, anthropic: keys.anthropic }
    expect(key).toBe(provider === 'openai-compatible' ? `Bearer ${keys.other}` : expected[provider])
  })

  test('that reports no usage is estimated', async () => {
    given = { text: 'word '.repeat(100), usage: null }
    const { usage } = await ask(model())
    expect(usage.estimated).toBe(true)
    expect(usage.tokens).toBeGreaterThan(80)
    expect(usage.tokens).toBeLessThan(150)
  })

  test('that ends at its limit is cut, and ok', async () => {
    given = { text: 'Half a', ending: 'length' }
    expect(await ask(model())).toMatchObject({ status: 'ok', cut: true, text: 'Half a' })
    given = { text: '', ending: 'length' }
    expect(await ask(model())).toMatchObject({ status: 'failed', fault: 'empty', cut: true })
  })

  test('that refuses or returns nothing has failed', async () => {
    given = { text: 'I will not.', ending: 'refusal' }
    expect(await ask(model())).toMatchObject({ status: 'failed', fault: 'refused', text: 'I will not.' })
    given = { text: ' \n ' }
    expect(await ask(model())).toMatchObject({ status: 'failed', fault: 'empty' })
  })

  test('whose listener throws goes on', async () => {
    given = { text: 'all the same' }
    const onText = (): void => {
      throw new Error('a bug of a surface')
    }
    expect(await ask(model(), { onText })).toMatchObject({ status: 'ok', text: 'all the same' })
  })

  test('is given half a character pair as something that can be sent', async () => {
    given = { text: 'fine' }
    expect(await ask(model(), { prompt: 'odd \ud83e end', system: '\udd8a' })).toMatchObject({ status: 'ok' })
    expect(server.calls.at(-1)).toMatchObject({ prompt: 'odd \ufffd end', system: '\ufffd' })
  })

  test('takes a prompt of a mebibyte', async () => {
    given = { text: 'read' }
    const prompt = 'a line of a long document\n'.repeat(42_000)
    const reply = await ask(model(), { prompt })
    expect(reply).toMatchObject({ status: 'ok', text: 'read' })
    expect(server.calls.at(-1)!.prompt.length).toBe(prompt.length)
    expect(reply.sentBytes).toBeGreaterThan(1 << 20)
  })

  test('answers many at once, each its own', async () => {
    given = { text: 'busy', everyMs: 1, pieceLength: 1 }
    const replies = await Promise.all(Array.from({ length: 8 }, () => ask(model())))
    expect(replies.map(({ text }) => text)).toEqual(Array.from({ length: 8 }, () => 'busy'))
  })
})

test('a key is read when the call is made', async () => {
  given = { text: 'yes' }
  const env: Record<string, string> = envFor(server.url)
  const model = modelAt('xai', server.url, env)
  delete env.XAI_API_KEY
  const before = server.calls.length
  expect(await ask(model)).toMatchObject({
    status: 'unavailable',
    fault: 'login',
    detail: 'XAI_API_KEY is not set',
    sentBytes: 0,
    usage: { tokens: 0, costUsd: 0 },
  })
  expect(server.calls.length).toBe(before)
  env.XAI_API_KEY = 'another-key'
  await ask(model)
  expect(server.calls.at(-1)!.headers.authorization).toBe('Bearer another-key')
})

test('xAI does not store requests to Grok', async () => {
  given = { text: 'yes' }
  await ask(modelAt('xai', server.url))
  expect(server.calls.at(-1)!.kept).toBe(false)
})
