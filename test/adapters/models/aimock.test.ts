import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, httpProviders, modelAt, moment } from './places.ts'

// Another hand than ours wrote this server: what both agree on is more likely to be so.
const mock = new LLMock({ port: 0, host: '127.0.0.1' })
beforeAll(() => mock.start())
afterAll(() => mock.stop())

describe.each(httpProviders)('aimock as %s', (provider) => {
  const model = () => modelAt(provider, mock.url)

  test('answers in a stream', async () => {
    const content = 'One answer, in several pieces, to one question.'
    mock.clearFixtures()
    mock.onMessage('plain', {
      content,
      usage: { input_tokens: 11, output_tokens: 7, prompt_tokens: 11, completion_tokens: 7 },
    })
    const heard: string[] = []
    const reply = await ask(model(), {
      system: 'Be plain.',
      prompt: 'a plain question',
      onText: (text) => heard.push(text),
    })
    expect(reply).toMatchObject({ status: 'ok', text: content })
    expect(heard.join('')).toBe(content)
    expect(reply.usage.tokens).toBeGreaterThan(0)
  })

  test('thinks before it answers, and only the answer is the text', async () => {
    mock.clearFixtures()
    mock.onMessage('hard', { content: 'Forty-two.', reasoning: 'Let me think about all of it.' })
    expect(await ask(model(), { prompt: 'a hard question' })).toMatchObject({ status: 'ok', text: 'Forty-two.' })
  })

  test('wants a tool that it was not given, and has said nothing', async () => {
    mock.clearFixtures()
    mock.onMessage('search', { toolCalls: [{ name: 'web_search', arguments: '{"query":"x"}' }] })
    expect(await ask(model(), { prompt: 'search for it' })).toMatchObject({ status: 'failed', fault: 'empty' })
  })

  test('is over its limit', async () => {
    mock.clearFixtures()
    mock.onMessage('often', { error: { message: 'too often', type: 'rate_limit_error' }, status: 429, retryAfter: 9 })
    const reply = await ask(model(), { prompt: 'asked too often' })
    expect(reply).toMatchObject({ status: 'unavailable', fault: 'limit', retryAt: moment + 9000 })
  })

  test('has an error of its own', async () => {
    mock.clearFixtures()
    mock.onMessage('break', { error: { message: 'broken', type: 'server_error' }, status: 500 })
    expect(await ask(model(), { prompt: 'break' })).toMatchObject({ status: 'unavailable', fault: 'provider' })
  })

  test('breaks off amid its answer', async () => {
    mock.clearFixtures()
    mock.onMessage('cut', { content: 'word '.repeat(200) }, { truncateAfterChunks: 3, chunkSize: 10 })
    const reply = await ask(model(), { prompt: 'cut it' })
    expect(reply).toMatchObject({ status: 'unavailable', fault: 'provider' })
    expect(reply.usage.estimated).toBe(true)
  })
})
