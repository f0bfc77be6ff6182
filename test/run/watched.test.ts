import { expect, test } from 'vitest'
import type { LoopEvent } from '../../src/contract/event.ts'
import { emptyState } from '../../src/kernel/state.ts'
import { afterEvent, afterProgress, watchedAt } from '../../src/run/execution/listeners.ts'

test('a new attempt forgets what the last one said; a recorded call is no longer counted beside the totals', () => {
  const event = (type: LoopEvent['type']): LoopEvent => ({ type }) as LoopEvent
  const view = { state: emptyState, memo: null }
  const said = { phase: 'agent', says: 'Edit src/a.ts' } as const
  const usage = { tokens: 5, costUsd: 1 }
  const first = afterProgress(afterEvent(undefined, event('run-started'), view, 1), { ...said, usage }, 2)
  expect(first).toMatchObject({ saidAt: 2, usage })
  expect(afterProgress(first, said, 3).usage).toBe(usage)
  expect(afterEvent(first, event('call-ended'), view, 4)).toMatchObject({ said: { ...said, usage }, usage: undefined })
  expect(afterEvent(first, event('attempt-started'), view, 5)).toEqual({ view, eventAt: 5, saidAt: 5 })
})

test('what has passed is shown by the monotonic clock, however the other one was set', () => {
  const seen = { view: { state: emptyState, memo: null }, eventAt: 1000, saidAt: 4000 }
  expect(watchedAt(seen, 5000, 1e12)).toMatchObject({ eventAt: 1e12 - 4000, saidAt: 1e12 - 1000, now: 1e12 })
})
