import { expect, test } from 'vitest'
import { createScriptedModel } from '../../../src/adapters/scripted/model.ts'
import { ScriptFile } from '../../../src/contract/script.ts'

const never = new AbortController().signal
const modelOf = (...model: object[]) => createScriptedModel(ScriptFile.parse({ model }), 'scripted')

test('replies in order, the last again and again; unknown usage is null', async () => {
  const model = modelOf({ reply: 'one', tokens: 5, cost_usd: 0.1 }, { score: 85 })
  expect(model.name).toBe('scripted')
  expect(await model.call({ prompt: '' }, never)).toMatchObject({
    status: 'ok',
    text: 'one',
    usage: { tokens: 5, costUsd: 0.1 },
  })
  for (let round = 0; round < 2; round += 1) {
    const unknown = { tokens: null, costUsd: null }
    expect(await model.call({ prompt: '' }, never)).toMatchObject({
      status: 'ok',
      text: '{"score":85}',
      usage: unknown,
    })
  }
})

test('failures are values, and a limit names a moment', async () => {
  const model = modelOf({ error: 'unavailable', retry_in_ms: 5000 }, { error: 'failed', tokens: 3 })
  const before = Date.now()
  const reply = await model.call({ prompt: '' }, never)
  expect(reply).toMatchObject({ status: 'unavailable', text: '' })
  expect(reply.retryAt).toBeGreaterThanOrEqual(before + 5000)
  expect(await model.call({ prompt: '' }, never)).toMatchObject({ status: 'failed', usage: { tokens: 3 } })
})

test('a delay is respected, and an abort fails the call', async () => {
  const model = modelOf({ reply: 'late', delay_ms: 60 }, { reply: 'never', delay_ms: 60_000 })
  expect((await model.call({ prompt: '' }, never)).providerMs).toBeGreaterThanOrEqual(59)
  const stop = new AbortController()
  const reply = model.call({ prompt: '' }, stop.signal)
  stop.abort()
  expect(await reply).toMatchObject({ status: 'failed', detail: 'aborted' })
})

test('a script without model entries fails, it does not throw', async () => {
  expect(await modelOf().call({ prompt: '' }, never)).toMatchObject({ status: 'failed' })
})
