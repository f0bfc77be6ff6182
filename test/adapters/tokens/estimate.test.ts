import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { estimateTokenCount } from 'tokenx'
import { expect, test } from 'vitest'
import { estimateTokens } from '../../../src/adapters/tokens/estimate.ts'

const read = (name: string): string => readFileSync(new URL(`fixtures/${name}`, import.meta.url), 'utf8')

// Counted with the o200k_base encoding.
test.each([
  ['prose.md', 303],
  ['code.ts', 214],
  ['data.json', 249],
])('%s is estimated within 15 %', (name, counted) => {
  expect(Math.abs(estimateTokens(read(name)) / counted - 1)).toBeLessThan(0.15)
})

test('a text is the sum of its paragraphs, whatever was estimated before', () => {
  const texts = ['prose.md', 'code.ts', 'data.json'].map(read)
  for (let other = 0; other < 200; other++) estimateTokens(`paragraph ${other}\n\n${'word '.repeat(other)}`)
  for (const text of [...texts, texts.join('\n\n'), ...texts, '', '\n\n', '\n\n\n  a\n\nb \n\n']) {
    expect(estimateTokens(text)).toBe(estimateTokenCount(text))
  }
})

test('no text is estimated at more than two tokens a character', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('☺', '1', '\n', ' ', 'ß', '語') }),
  )
  fc.assert(
    fc.property(texts, (text) => estimateTokens(text) <= 2 * text.length),
    { numRuns: 3000 },
  )
})

test('a long run of one letter, and a megabyte of words, take no time to speak of', () => {
  const began = performance.now()
  estimateTokens('a'.repeat(1_000_000))
  estimateTokens('word '.repeat(200_000))
  expect(performance.now() - began).toBeLessThan(5000)
})
