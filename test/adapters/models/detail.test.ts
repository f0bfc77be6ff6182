import { expect, test } from 'vitest'
import { safeDetail } from '../../../src/adapters/models/detail.ts'

const key = 'sk-live-ABCDEFGHIJKLMNOP'
const prompt = 'The secret plan of\n  the  house by the sea'
const safe = (says: string) => safeDetail(says, { keys: [key], content: [prompt] })

test('ordinary words stay as they are', () => {
  expect(safe('prompt is too long: 210000 tokens > 200000 maximum')).toBe(
    'prompt is too long: 210000 tokens > 200000 maximum',
  )
})

test('a key is hidden: complete, in part, in another case or encoding', () => {
  expect(safe(`bad key ${key}!`)).toBe('bad key […]!')
  expect(safe(`bad key ${key.slice(0, 12)}***`)).toBe('bad key […]***')
  expect(safe(`bad key ***${key.slice(-8)}`)).toBe('bad key ***[…]')
  expect(safe(`bad key ${key.toLowerCase()}`)).toBe('bad key […]')
  expect(safe(`bad key ${Buffer.from(key).toString('base64')}`)).toBe('bad key […]')
  expect(safe(`bad key ${key.slice(0, 8)}\u0000${key.slice(8)}`)).not.toMatch(/ABCDEF|KLMNOP/)
})

test('a key cut off by the line length is hidden too', () => {
  const told = safe(`${'x'.repeat(290)} ${key}`)
  expect(told.length).toBeLessThanOrEqual(300)
  expect(told).not.toContain('sk-live')
})

test('what was asked is left out, however its spaces came back', () => {
  expect(safe('cannot read "the SECRET plan of the house by the sea" here')).toBe('cannot read "[…]" here')
})

test('a single word of what was asked is left out, and what servers say of any call stays', () => {
  const asked = safeDetail('Rate limit: Zürich7 asked for "Merger", 東京本社の件 by Q4-2031; request too long', {
    keys: [],
    content: ['The merger of zürich7 with 東京本社の件, due q4-2031: a request about a rate limit'],
  })
  expect(asked).toBe('Rate limit: […] asked for "[…]", […] by Q4-[…]; request too long')
})

test('one line without anything that moves a cursor or turns text round', () => {
  expect(safe('a\u001b[2Jb\r\nc\u202ed\u2028e\ud800')).toBe('a [2Jb c d e\ufffd')
})

test('a megabyte of prompt and a hostile answer cost no more than a blink', () => {
  const long = 'word after word '.repeat(65_536)
  const startedAt = performance.now()
  safeDetail('word after wor_ '.repeat(1000), { keys: [key], content: [long] })
  expect(performance.now() - startedAt).toBeLessThan(2000)
})
