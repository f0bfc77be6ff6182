import { expect, test } from 'vitest'
import { classifyEnding } from '../../../src/adapters/models/classify-fault.ts'

const now = 1_000_000
const faultOf = (error: unknown) => classifyEnding({ error, empty: true }, now).fault

test('the system error explains a failed connection, the SDK error does not', () => {
  for (const code of [
    'ENOTFOUND',
    'EAI_AGAIN',
    'ECONNREFUSED',
    'ETIMEDOUT',
    'CERT_HAS_EXPIRED',
    'DEPTH_ZERO_SELF_SIGNED_CERT',
  ]) {
    const failed = Object.assign(new Error('fetch failed'), { cause: Object.assign(new Error('why'), { code }) })
    expect(classifyEnding({ error: failed, empty: true }, now)).toMatchObject({
      fault: 'provider',
      says: `the connection failed: ${code}`,
    })
  }
})

test.each([
  [400, 'Incorrect API key provided: xa***. You can obtain one in the console.', 'login'],
  [400, 'Your credit balance is too low to access the API.', 'login'],
  [400, 'The model `grok-9` does not exist or your team has no access to it.', 'model'],
  [400, 'prompt is too long: 210000 tokens > 200000 maximum', 'request'],
  [402, 'payment required', 'login'],
  [404, 'model "llama9" not found, try pulling it first', 'model'],
  [408, 'timed out', 'provider'],
  [410, 'this model was retired', 'model'],
  [418, 'a teapot', 'request'],
  [503, 'busy', 'provider'],
] as const)('%d "%s" is %s', (statusCode, message, fault) => {
  expect(faultOf(Object.assign(new Error(message), { statusCode, responseHeaders: {} }))).toBe(fault)
})

test('an overloaded server may say when to come back, too', () => {
  const error = { statusCode: 503, message: 'busy', responseHeaders: { 'retry-after': '4' } }
  expect(classifyEnding({ error, empty: true }, now)).toMatchObject({ fault: 'provider', retryAt: now + 4000 })
})

test('an error that may quote the model is reported in our own words', () => {
  const error = Object.assign(new Error('Type validation failed: Value: {"secret":1}'), { value: { secret: 1 } })
  expect(classifyEnding({ error, empty: false }, now).says).not.toContain('secret')
})

test('a person who stops comes before whatever else went wrong', () => {
  expect(classifyEnding({ stop: 'stopped', error: new Error('aborted'), empty: true }, now).fault).toBe('stopped')
})

test('odd errors get a fault and never crash', () => {
  for (const error of [null, 'text', 5, {}, [], Symbol('x'), { statusCode: 'x' }, { code: {} }]) {
    expect(faultOf(error)).toBe('provider')
  }
})
