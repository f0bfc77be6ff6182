import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { emptyState, type LoopState } from '../../../src/kernel/state.ts'
import { createChatter } from '../../../src/surfaces/terminal/chatter.ts'
import { afterEvent, afterProgress, heartbeat, liveLines, type Watched } from '../../../src/surfaces/terminal/live.ts'

const at = new Date(2026, 1, 14, 10, 3, 12).getTime()
const now = { at, ms: 100_000 }
const base: LoopState = {
  ...emptyState,
  caps: { tasks: 10, activeMs: 600_000 },
  tasks: 1,
  activeMs: 150_000,
  tokens: 1000,
  costUsd: 0.02,
  task: { id: 'iteration-2', kind: 'work' },
  taskMs: 60_000,
  running: true,
}
const watched = (state: Partial<LoopState>, more: Partial<Watched> = {}): Watched => ({
  state: { ...base, ...state },
  eventMs: 70_000,
  saidMs: 88_000,
  ...more,
})
const texts = (one: Watched): string[] => liveLines(one, now).map(({ text }) => text)
const said = { phase: 'agent', says: 'Edit \u001b[32msrc/a.ts\u001b[0m\tnow' } as const

test('three lines tell iteration, phase, elapsed, last activity and its age, spending and the first bound', () => {
  const usage = { tokens: 200, costUsd: 0.01 }
  expect(texts(watched({}, { said, usage }))).toEqual([
    'Iteration 2/10: agent, 1m30s',
    'last output 12s ago: Edit src/a.ts now',
    '1,200 tokens, $0.03; first bound: max_time in ~3 iterations',
  ])
  expect(heartbeat(watched({}, { said, usage }), now)).toBe(
    '[10:03:12] Iteration 2/10: agent, 1m30s, last output 12s ago, 1,200 tokens, $0.03',
  )
})

test('what is not told is not zero', () => {
  const line = (one: Watched): string => texts(one).at(-1)!.split(';')[0]!
  expect(line(watched({}))).toBe('at least 1,000 tokens, $0.02')
  expect(line(watched({}, { usage: { tokens: 200, costUsd: null } }))).toBe('1,200 tokens, at least $0.02')
  expect(line(watched({}, { usage: { tokens: 200, costUsd: 0.01, estimated: true } }))).toBe('~1,200 tokens, ~$0.03')
  expect(line(watched({ tokens: 0, costUsd: 0 }))).toBe('tokens not told yet')
  const call = { key: 'agent', via: 'x', status: 'ok', usage: { tokens: 500, costUsd: 0 }, providerMs: 1 } as const
  expect(line(watched({ calls: { agent: call } }))).toBe('1,000 tokens, $0.02')
  expect(line(watched({ running: false, unknownCalls: 1 }))).toBe('at least 1,000 tokens, $0.02')
})

test('a gate is named by its command, and its age is its own', () => {
  const one = watched(
    { running: false, outcome: { status: 'ok' } },
    { said: { phase: 'gate', says: 'npm test\u0007' } },
  )
  expect(texts(one).slice(0, 2)).toEqual(['Iteration 2/10: gate `npm test\\u{7}`, 1m30s', 'this gate began 12s ago'])
  expect(heartbeat(one, now)).toBe(
    '[10:03:12] Iteration 2/10: gate `npm test\\u{7}`, 1m30s, began 12s ago, 1,000 tokens, $0.02',
  )
})

test('a wait for a limit is a countdown with the way to skip it', () => {
  const until = new Date(2026, 1, 14, 12, 16, 12).getTime()
  const wait = { until, ms: until - at }
  const decision = { do: 'wait', until, reason: 'usage limit' } as const
  const line = 'waiting for usage limit: 2h13m left, until 12:16; skip: pawl resume --now'
  const one = watched({ running: false, outcome: { status: 'unavailable' }, wait, decision })
  expect(texts(one)).toEqual([line, expect.stringMatching(/^1,000 tokens/)])
  expect(heartbeat(one, now)).toBe(`[10:03:12] ${line}, 1,000 tokens, $0.02`)
  const away = { ...decision, reason: 'the agent could not be started' }
  expect(texts(watched({ running: false, wait: { until: at - 5, ms: 0 }, decision: away }))[0]).toBe(
    'waiting (the agent could not be started): 0s left, until 10:03; skip: pawl resume --now',
  )
})

test('a question says how long it has been open, and an ended run shows nothing', () => {
  expect(texts(watched({ running: false, question: { id: 'q', topic: 'paused' } }))[0]).toBe(
    'paused, for 30s; go on with: pawl answer',
  )
  expect(texts(watched({ ended: { ending: 'completed', reason: 'x' } }))).toEqual([])
})

test('a new attempt forgets what the last one said; a recorded call is no longer counted beside the totals', () => {
  const event = (type: LoopEvent['type']): LoopEvent => ({ type }) as LoopEvent
  const usage = { tokens: 5, costUsd: 1 }
  const first = afterProgress(afterEvent(undefined, event('run-started'), base, 1), { ...said, usage }, 2)
  expect(first).toMatchObject({ saidMs: 2, usage })
  expect(afterProgress(first, said, 3).usage).toBe(usage)
  expect(afterEvent(first, event('call-ended'), base, 4)).toMatchObject({ said: { ...said, usage }, usage: undefined })
  expect(afterEvent(first, event('attempt-started'), base, 5)).toEqual({ state: base, eventMs: 5, saidMs: 5 })
})

test('chatter is as much as a person can read, and says how much was left out', () => {
  const chatter = createChatter()
  expect(chatter.take(false)).toEqual([])
  for (let n = 0; n < 1_000_000; n++) chatter.hear({ phase: 'agent', says: `line ${n}` })
  const lines = chatter.take(false)
  expect(lines).toHaveLength(21)
  expect([lines[0], lines[19], lines[20]]).toEqual(['  | line 0', '  | line 19', '  | … 999980 lines left out'])
  chatter.hear({ phase: 'gate', says: 'npm test' })
  expect(chatter.take(true)).toEqual([])
  expect(chatter.take(false)).toEqual(['  | … 1 line left out'])
  chatter.hear({ phase: 'agent', says: 'x'.repeat(1_000_000) })
  expect(chatter.take(false)[0]!.length).toBeLessThan(2100)
})
