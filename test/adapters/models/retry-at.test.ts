import { expect, test } from 'vitest'
import { retryAt } from '../../../src/adapters/models/retry-at.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const second = 1000
const minute = 60_000

test.each<[string, Record<string, string>, number | undefined]>([
  ['nothing', {}, undefined],
  ['seconds', { 'retry-after': '7' }, 7 * second],
  ['part of a second', { 'retry-after': '0.5' }, 500],
  ['milliseconds', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  ['a date', { 'retry-after': 'Sun, 15 Nov 2026 12:01:00 GMT' }, minute],
  ['a date that is over', { 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
  ['nonsense', { 'retry-after': 'soon' }, undefined],
  ['ten thousand years', { 'retry-after': '315360000000' }, undefined],
  ['a negative time', { 'retry-after': '-5' }, undefined],
  ['a reset in words of Go', { 'x-ratelimit-reset-requests': '1m30s' }, 90 * second],
  ['a reset in milliseconds', { 'x-ratelimit-reset-tokens': '120ms' }, 120],
  ['a reset as a moment', { 'anthropic-ratelimit-tokens-reset': '2026-11-15T12:00:05Z' }, 5 * second],
  ['a reset in epoch seconds', { 'anthropic-ratelimit-unified-reset': String(now / 1000 + 60) }, minute],
  ['a reset in epoch milliseconds', { 'x-ratelimit-reset': String(now + minute) }, minute],
  [
    'the limit that is spent, not one with something left',
    {
      'x-ratelimit-remaining-requests': '0',
      'x-ratelimit-reset-requests': '5s',
      'x-ratelimit-remaining-tokens': '900',
      'x-ratelimit-reset-tokens': '1h',
    },
    5 * second,
  ],
  ['retry-after before any reset', { 'retry-after': '3', 'x-ratelimit-reset-requests': '1h' }, 3 * second],
])('%s', (_, headers, waitMs) => {
  expect(retryAt(headers, now)).toBe(waitMs === undefined ? undefined : now + waitMs)
})
