import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { chooseFormat } from '../../../src/adapters/models/answer-format.ts'
import type { Rung } from '../../../src/contract/models.ts'
import { type ModelServer, type ServedAnswer, startModelServer } from '../../support/model-server.ts'
import { ask, envFor, type HttpProvider, httpProviders, modelAt, rungFor } from './places.ts'

let server: ModelServer
let given: ServedAnswer = {}
beforeAll(async () => (server = await startModelServer(() => given)))
afterAll(() => server.close())

const schema = {
  type: 'object',
  properties: { so: { type: 'boolean' } },
  required: ['so'],
  additionalProperties: false,
}
const shown = `\n\nAnswer with one JSON object that matches this JSON schema, and with nothing else:\n${JSON.stringify(schema)}\n`

/** Asks for an answer of the schema, and returns what the server got. */
async function askFor(provider: HttpProvider, more: Partial<Rung> = {}) {
  given = { text: '{"so":true}' }
  const reply = await ask(modelAt(provider, server.url, envFor(server.url), more), { prompt: 'Is it so?', schema })
  expect(reply).toMatchObject({ status: 'ok', text: '{"so":true}' })
  const { path, format, prompt } = server.calls.at(-1)!
  return { path, format, prompt }
}

describe('a schema is sent as the server of each provider takes it', () => {
  const chat = { type: 'json_schema', json_schema: { name: 'response', schema, strict: true } }

  test('Ollama: in the place that becomes the `format` of its own API', async () => {
    expect(await askFor('ollama')).toEqual({ path: '/v1/chat/completions', format: chat, prompt: 'Is it so?' })
  })

  test('OpenAI, and servers that are said to know it', async () => {
    const told = await askFor('openai-compatible', { jsonSchema: true })
    expect(told).toEqual({ path: '/v1/chat/completions', format: chat, prompt: 'Is it so?' })
  })

  test('xAI', async () => {
    const format = { format: { type: 'json_schema', name: 'response', schema, strict: true } }
    expect(await askFor('xai')).toEqual({ path: '/v1/responses', format, prompt: 'Is it so?' })
  })

  test.each(['claude-sonnet-4-5-20250929', 'claude-opus-5-5', 'claude-3-haiku-20240307', 'served-by-a-proxy'])(
    'Anthropic, whatever its model is called: %s',
    async (model) => {
      const format = { format: { type: 'json_schema', schema } }
      expect(await askFor('anthropic', { model })).toEqual({ path: '/v1/messages', format, prompt: 'Is it so?' })
    },
  )
})

describe('a schema that is not sent is shown in the prompt', () => {
  test.each([
    ['of a server that may not know schemas', 'openai-compatible', {}],
    ["of Ollama's cloud, which ignores them", 'ollama', { model: 'gpt-oss:120b-cloud', local: false }],
  ] as const)('%s, which is asked for plain JSON', async (_, provider, more) => {
    const { format, prompt } = await askFor(provider, more)
    expect([format, prompt]).toEqual([{ type: 'json_object' }, `Is it so?${shown}`])
  })

  test.each(httpProviders)(
    'of %s, if the entry has json_schema: false; nothing else asks for JSON',
    async (provider) => {
      const { format, prompt } = await askFor(provider, { jsonSchema: false })
      expect([format, prompt]).toEqual([undefined, `Is it so?${shown}`])
    },
  )

  test('and counts as input where the server does not count', async () => {
    given = { text: '{"so":true}', usage: null }
    const tokens = async (jsonSchema: boolean) =>
      (await ask(modelAt('xai', server.url, envFor(server.url), { jsonSchema }), { schema })).usage.tokens!
    expect((await tokens(false)) - (await tokens(true))).toBeGreaterThan(30)
  })
})

test.each([
  ['openai-compatible', 'https://api.openai.com/v1', undefined, 'schema'],
  ['openai-compatible', 'https://eu.api.openai.com/v1', undefined, 'schema'],
  ['openai-compatible', 'https://api.openai.com/v1', false, 'prompt'],
  ['openai-compatible', 'https://api.openai.com.example.org/v1', undefined, 'json'],
  ['openai-compatible', 'https://notapi.openai.com/v1', undefined, 'json'],
  ['openai-compatible', 'https://api.mistral.ai/v1', undefined, 'json'],
  ['openai-compatible', 'http://127.0.0.1:1234/v1', true, 'schema'],
  ['xai', 'https://proxy.example/v1', undefined, 'schema'],
  ['anthropic', 'https://proxy.example/v1', false, 'prompt'],
] as const)('%s at %s with json_schema %s: %s', (provider, url, jsonSchema, expected) => {
  expect(chooseFormat({ ...rungFor(provider, server.url), jsonSchema }, new URL(url))).toBe(expected)
})

describe.each(httpProviders)('%s with a schema', (provider) => {
  const model = () => modelAt(provider, server.url, envFor(server.url), { jsonSchema: true })

  test('streams its answer, with usage; the text is not checked here', async () => {
    const heard: string[] = []
    given = { text: '{"so": "as it was said"}', usage: { input: 100, output: 50 }, pieceLength: 3 }
    const reply = await ask(model(), { schema, onText: (text) => heard.push(text) })
    expect(reply).toMatchObject({ status: 'ok', text: given.text, usage: { tokens: 150 } })
    expect([heard.join(''), heard.length > 3]).toEqual([given.text, true])
    expect(reply.cut).toBeUndefined()
  })

  test('is cut, refuses and returns nothing as without one', async () => {
    given = { text: '{"so":', ending: 'length' }
    expect(await ask(model(), { schema })).toMatchObject({ status: 'ok', cut: true, text: '{"so":' })
    given = { text: 'No.', ending: 'refusal' }
    expect(await ask(model(), { schema })).toMatchObject({ status: 'failed', fault: 'refused', text: 'No.' })
    given = { text: '' }
    expect(await ask(model(), { schema })).toMatchObject({ fault: 'empty', detail: 'an empty answer' })
  })
})

const rejections: Readonly<Record<HttpProvider, string>> = {
  ollama: 'invalid JSON schema in format',
  xai: "response_format 'json_schema' is not supported by this model",
  anthropic: 'output_config.format: Extra inputs are not permitted',
  'openai-compatible': "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
}

describe.each(httpProviders)('a server of %s that rejects the schema', (provider) => {
  const sends = { jsonSchema: true }
  const model = (more: Partial<Rung> = sends) => modelAt(provider, server.url, envFor(server.url), more)
  const advice = `. Set json_schema: false for ${provider} in ladder of your config.yml.`

  test.each(['bad-request', 'unprocessable'] as const)(
    'is asked once, and the fault says what to do: %s',
    async (fault) => {
      given = { fault, says: `${rejections[provider]} ${'and more '.repeat(100)}` }
      const before = server.calls.length
      // Words of the prompt are hidden in what the server says, never in the advice.
      const reply = await ask(model(), { schema, prompt: 'Set json_schema: false for the ladder of your config.yml' })
      expect(reply).toMatchObject({ status: 'failed', fault: 'request', usage: { tokens: 0, costUsd: 0 } })
      expect(reply.detail).toMatch(/^HTTP 4\d\d: \S/)
      expect(reply.detail!.endsWith(advice), reply.detail).toBe(true)
      expect(reply.detail!.length).toBeLessThanOrEqual(200)
      expect(server.calls.length).toBe(before + 1)
    },
  )

  test('is not taken for one that rejects something else', async () => {
    given = { fault: 'bad-request', says: 'prompt is too long: 210000 tokens' }
    expect((await ask(model(), { schema })).detail).toMatch(/^HTTP 400: .*prompt is too long: 210000 tokens$/)
    given = { fault: 'bad-request', says: rejections[provider] }
    expect((await ask(model())).detail).not.toContain('json_schema: false')
    expect((await ask(model({ jsonSchema: false }), { schema })).detail).not.toContain('json_schema: false')
    given = { fault: 'login', says: rejections[provider] }
    expect((await ask(model(), { schema })).detail).not.toContain('json_schema: false')
  })
})

test('a server that rejects plain JSON, in words of its own format, is reported with both settings', async () => {
  const studio = createServer((request, response) => {
    request.resume()
    response.writeHead(400, { 'content-type': 'application/json' })
    response.end(`{"error":"'response_format.type' must be 'json_schema' or 'text'"}`)
  })
  onTestFinished(() => void studio.close())
  await new Promise<void>((done) => studio.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(studio.address() as AddressInfo).port}`
  expect(await ask(modelAt('openai-compatible', url), { schema })).toMatchObject({
    fault: 'request',
    detail:
      'HTTP 400. Set json_schema for openai-compatible in ladder of your config.yml: true if the server takes JSON schemas, else false.',
  })
})

describe('a proxy that turns the schema into a tool', () => {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' })
  beforeAll(() => mock.start())
  afterAll(() => mock.stop())

  // xAI's stream ends with a tool call as with a text.
  test.each(httpProviders.filter((one) => one !== 'xai'))('has given no answer: %s', async (provider) => {
    mock.clearFixtures()
    mock.onMessage('so', { toolCalls: [{ name: 'json', arguments: '{"so":true}' }] })
    const model = modelAt(provider, mock.url, envFor(mock.url), { jsonSchema: true })
    const advice = `Set json_schema: false for ${provider} in ladder of your config.yml.`
    expect(await ask(model, { prompt: 'Is it so?', schema })).toMatchObject({
      status: 'failed',
      fault: 'empty',
      detail: `a tool call instead of an answer. ${advice}`,
    })
    expect((await ask(model, { prompt: 'Is it so?' })).detail).toBe('a tool call instead of an answer')
  })
})
