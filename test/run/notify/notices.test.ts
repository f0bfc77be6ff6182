import { expect, test } from 'vitest'
import type { Decision, Fact, LoopEvent } from '../../../src/contract/event.ts'
import type { Reason } from '../../../src/contract/reasons.ts'
import { emptyState, type LoopState, reduce } from '../../../src/kernel/state.ts'
import { findNotices } from '../../../src/run/notify/notices.ts'
import { defaultReasons, defaultSetting, formatReason } from '../../../src/show/reasons.ts'

const reasons = {
  ...defaultReasons,
  gates_green: { fields: {}, text: 'gates green' },
  not_logged_in: { fields: {}, text: 'not logged in' },
  more_money: { fields: {}, text: 'raise max_cost?' },
}
const run = {
  id: '20260214-101502-4f2a1c',
  name: 'build',
  program: 'pawl',
  unit: { one: 'iteration', many: 'iterations' },
  setting: defaultSetting,
  format: (reason: Reason) => formatReason(reasons, reason),
}
const at = Date.UTC(2026, 1, 14, 10)
const started: LoopState = { ...emptyState, tasks: 3, tokens: 1200, costUsd: 0.25 }

/** What one event on top of this state is told as. */
function told(fact: Fact, state: Partial<LoopState> = {}, ms = 0) {
  const before = { ...started, ...state }
  const event: LoopEvent = { ...fact, seq: 7, at, ms, task: null, attempt: null, epoch: 1 }
  return findNotices(event, before, reduce(before, event), run)
}
const texts = (...of: Parameters<typeof told>): string[] => told(...of).map(({ reason, text }) => `${reason}: ${text}`)
const ends = (ending: 'completed' | 'failed' | 'blocked' | 'cancelled', reason: Reason): Fact => ({
  type: 'run-ended',
  ending,
  reason,
})
const decides = (decision: Decision): Fact => ({ type: 'decision-made', decision, by: 'policy' })
const uses = (tokens: number | null, costUsd: number): Fact => ({
  type: 'call-ended',
  call: { key: 'agent', via: 'x', status: 'ok', usage: { tokens, costUsd }, providerMs: 1 },
})
const counts = '(3 iterations, 1,200 tokens, $0.25)'

test('an end is told with its reason, what was spent and what goes on', () => {
  expect(texts(ends('completed', { code: 'gates_green' }))).toEqual([`done: build is done: gates green ${counts}`])
  expect(texts(ends('failed', { code: 'cap_spent', cap: 'activeMs' }))).toEqual([
    `failed: build failed: time limit reached ${counts}. Next: pawl resume ${run.id}`,
  ])
  expect(texts(ends('blocked', { code: 'not_logged_in' }))).toEqual([
    `needs-you: build is blocked: not logged in ${counts}. Next: pawl resume ${run.id}`,
  ])
  expect(texts(ends('cancelled', { code: 'cancelled', by: 'me' }))).toEqual([])
  expect(told(ends('completed', { code: 'x' }))).toMatchObject([
    { seq: 7, at, next: null, spend: { tokens: { used: 1200 } } },
  ])
})

test('a question and a pause need a person', () => {
  expect(
    texts(decides({ do: 'pause', question: { id: 'q', topic: { code: 'more_money' }, choices: ['yes', 'no'] } })),
  ).toEqual([`needs-you: build asks: raise max_cost? ${counts}. Next: pawl answer ${run.id} <yes|no>`])
  expect(texts(decides({ do: 'pause', question: { id: 'q', topic: { code: 'paused' } } }))).toEqual([
    `needs-you: build is paused ${counts}. Next: pawl resume ${run.id}`,
  ])
})

test('a wait is told when it begins, is longer than ten minutes and fits its bound', () => {
  const wait = (minutes: number): Fact =>
    decides({ do: 'wait', until: at + minutes * 60_000, reason: { code: 'usage_limit' } })
  expect(texts(wait(10))).toEqual([])
  expect(texts(wait(11))).toEqual([
    `waiting: build is waiting for a limit to reset until 2026-02-14 10:11 UTC ${counts}. Next: pawl resume ${run.id} --now`,
  ])
  expect(texts(wait(11), { caps: { waitMs: 600_000 } })).toEqual([])
  const waiting = { wait: { until: at + 3_600_000, ms: 3_600_000 } }
  expect(texts({ type: 'run-resumed' }, waiting)).toEqual([])
})

test('the event that takes a bound over 80 % tells it, no other does', () => {
  const caps = { tokens: 2000, costUsd: 1 }
  expect(texts(uses(399, 0.1), { caps })).toEqual([])
  expect(texts(uses(400, 0.1), { caps })).toEqual([
    'budget-80: build has used 80 % of max_tokens (3 iterations, 1,600 tokens, $0.35)',
  ])
  expect(texts(uses(100, 0.1), { caps, tokens: 1600 })).toEqual([])
  expect(texts(uses(500, 0.6), { caps })).toEqual([
    'budget-80: build has used 80 % of max_cost and of max_tokens (3 iterations, 1,700 tokens, $0.85)',
  ])
  expect(texts({ type: 'attempt-started', via: 'x' }, { caps: { activeMs: 1000 }, activeMs: 700 }, 100)).toEqual([
    `budget-80: build has used 80 % of max_time ${counts}`,
  ])
  expect(texts(uses(null, 0.6), { caps })).toEqual([
    'budget-80: build has used 80 % of max_cost (3 iterations, at least 1,200 tokens, at least $0.85)',
  ])
})

test('one event may be told as two things, and a raised bound can be reached again', () => {
  const long = decides({ do: 'wait', until: at + 3_600_000, reason: { code: 'usage_limit' } })
  const close = { caps: { activeMs: 1000 }, activeMs: 700 }
  expect(told(long, close, 100).map(({ reason }) => reason)).toEqual(['waiting', 'budget-80'])
  const raised = { caps: { tokens: 4000 }, tokens: 3100 }
  expect(told(uses(200, 0), raised).map(({ reason }) => reason)).toEqual(['budget-80'])
  expect(told(ends('failed', { code: 'cap_spent', cap: 'activeMs' }), close, 900).map(({ reason }) => reason)).toEqual([
    'failed',
  ])
})

test('what a task is called comes from the mode', () => {
  const event: LoopEvent = {
    ...ends('completed', { code: 'gates_green' }),
    seq: 7,
    at,
    ms: 0,
    task: null,
    attempt: null,
    epoch: 1,
  }
  const stories = { ...run, program: 'santiago', unit: { one: 'story', many: 'stories' } }
  const [notice] = findNotices(event, { ...started, tasks: 1 }, reduce({ ...started, tasks: 1 }, event), stories)
  expect(notice?.text).toBe('build is done: gates green (1 story, 1,200 tokens, $0.25)')
})
