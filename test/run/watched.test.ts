import { expect, test } from 'vitest'
import type { LoopEvent } from '../../src/contract/event.ts'
import { emptyState } from '../../src/kernel/state.ts'
import { afterEvent, afterProgress } from '../../src/run/execution/watched.ts'

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
