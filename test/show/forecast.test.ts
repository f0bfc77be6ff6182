import { expect, test } from 'vitest'
import { emptyState, type LoopState } from '../../src/kernel/state.ts'
import { findFirstBound } from '../../src/show/work-live.ts'

const after = (state: Partial<LoopState>) => findFirstBound({ ...emptyState, ...state })

test('without a bound there is nothing to tell, nor where nothing was used of any', () => {
  expect(after({ tasks: 3, tokens: 10 })).toBeUndefined()
  expect(after({ caps: { tokens: 10, costUsd: 1, failuresInARow: 3 } })).toBeUndefined()
})

test('before the first iteration is done only counts and the clock are known', () => {
  expect(after({ caps: { tasks: 5, activeMs: 60_000 } })).toEqual({ cap: 'tasks', iterations: 5 })
  expect(after({ caps: { activeMs: 60_000 }, activeMs: 20_000 })).toEqual({ cap: 'activeMs', ms: 40_000 })
})

test('the bound that an average iteration reaches first is the one', () => {
  const caps = { tasks: 10, activeMs: 600_000, tokens: 5000, costUsd: 10 }
  const used = { tasks: 2, activeMs: 200_000, tokens: 1000, costUsd: 1 }
  expect(after({ ...used, caps })).toEqual({ cap: 'activeMs', iterations: 4 })
  expect(after({ ...used, caps, tokens: 2000 })).toEqual({ cap: 'tokens', iterations: 3 })
  expect(after({ ...used, caps, costUsd: 9 })).toEqual({ cap: 'costUsd', iterations: 1 })
  expect(after({ ...used, caps: { ...caps, tasks: 4 } })).toEqual({ cap: 'tasks', iterations: 2 })
  expect(after({ ...used, caps, costUsd: 12 })).toEqual({ cap: 'costUsd', iterations: 0 })
})

test('failures in a row count only while there is such a row', () => {
  const caps = { tasks: 10, failuresInARow: 3 }
  expect(after({ tasks: 2, caps })).toEqual({ cap: 'tasks', iterations: 8 })
  expect(after({ tasks: 2, caps, failuresInARow: 1 })).toEqual({ cap: 'failuresInARow', failures: 2 })
})
