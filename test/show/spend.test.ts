import { describe, expect, test } from 'vitest'
import { emptyState } from '../../src/kernel/state.ts'
import { reopenedCaps, summarizeSpend } from '../../src/show/spend.ts'

describe('spending', () => {
  test('what was not reported makes the sums a lower bound', () => {
    expect(summarizeSpend({ ...emptyState, tokens: 7, unknownCalls: 1, caps: { tokens: 10 } }).tokens).toEqual({
      used: 7,
      of: 10,
      atLeast: true,
    })
    expect(summarizeSpend(emptyState).costUsd).toEqual({ used: 0, of: null })
  })

  test('reopening adds a spent bound once more on top of what was spent, and leaves the others', () => {
    const state = { ...emptyState, tasks: 3, tokens: 120, caps: { tasks: 10, tokens: 100, failuresInARow: 3 } }
    expect(reopenedCaps(state, state.caps)).toEqual({ tokens: 220 })
  })
})
