import { expect, test } from 'vitest'
import { emptyState } from '../../../src/kernel/state.ts'
import { formatDuration, formatSpend } from '../../../src/show/format.ts'
import { summarizeSpend } from '../../../src/show/spend.ts'
import { plainText } from '../../../src/surfaces/terminal/plain-text.ts'

test('durations read as in the seed', () => {
  expect([45_200, 136_000, 270_000, 11_100_000, 59_990].map(formatDuration)).toEqual([
    '45.2s',
    '2m16s',
    '4m30s',
    '3h05m',
    '60.0s',
  ])
})

test('what moves the cursor, changes the terminal or hides text is shown instead', () => {
  const attacks = [
    '\u001b[2J',
    '\u001b]52;c;aGk=\u0007',
    '\u009b31m',
    'a\rb',
    '\u0008',
    '\u202eabc',
    '\u200b',
    '\u{e0041}',
    '\u2028',
  ]
  for (const attack of attacks) expect(plainText(attack)).toMatch(/\\u\{/)
  expect(plainText('plain ünïcode 漢字 👍\ttab')).toBe('plain ünïcode 漢字 👍\ttab')
})

test('a spend line names its bounds', () => {
  const state = {
    ...emptyState,
    tasks: 1,
    tokens: 1200,
    costUsd: 0.5,
    activeMs: 61_000,
    waitMs: 5000,
    caps: { tasks: 3, costUsd: 2 },
  }
  expect(formatSpend(summarizeSpend(state))).toBe(
    '1 of 3 iterations, 1,200 tokens, $0.50 of $2.00, 1m01s active, 5.0s waiting',
  )
})
