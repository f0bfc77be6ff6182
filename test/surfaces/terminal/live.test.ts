import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { emptyState, type LoopState } from '../../../src/kernel/state.ts'
import { afterEvent, afterProgress } from '../../../src/run/execution/watched.ts'
import { usualReasons, usualSetting } from '../../../src/show/reasons.ts'
import type { Watched } from '../../../src/show/show.ts'
import { type WorkWords, workLive } from '../../../src/show/work-live.ts'
import { createAgentOutput } from '../../../src/surfaces/terminal/agent-output.ts'
import { liveLines } from '../../../src/surfaces/terminal/display.ts'
import { lineText } from '../../support/render.ts'

const at = new Date(2026, 1, 14, 10, 3, 12).getTime()
const rendering = { program: 'pawl', cwd: '/repo', now: at, ticks: true } as const
const words: WorkWords<null> = {
  unit: { one: 'iteration', many: 'iterations' },
  setting: usualSetting,
  reasons: usualReasons,
  task: ({ task, caps }) => `Iteration ${task?.id.replace('iteration-', '')}/${caps.tasks}`,
}
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
const watched = (state: Partial<LoopState>, more: Partial<Watched<null>> = {}): Watched<null> => ({
  view: { state: { ...base, ...state }, memo: null },
  eventAt: at - 30_000,
  saidAt: at - 12_000,
  now: at,
  ...more,
})
const texts = (one: Watched<null>): string[] => liveLines(workLive(one, words), rendering).map(({ text }) => text)
const brief = (one: Watched<null>): string => lineText(workLive(one, words).brief, rendering)
const said = { phase: 'agent', says: 'Edit \u001b[32msrc/a.ts\u001b[0m\tnow' } as const

test('three lines tell iteration, phase, elapsed, last activity and its age, spending and the first bound', () => {
  const usage = { tokens: 200, costUsd: 0.01 }
  expect(texts(watched({}, { said, usage }))).toEqual([
    'Iteration 2/10: agent, 1m30s',
    'last output 12s ago: Edit src/a.ts now',
    '1,200 tokens, $0.03; first bound: max_time in ~3 iterations',
  ])
  expect(brief(watched({}, { said, usage }))).toBe(
    'Iteration 2/10: agent, 1m30s, last output 12s ago, 1,200 tokens, $0.03',
  )
})

test('what is not told is not zero', () => {
  const line = (one: Watched<null>): string => texts(one).at(-1)!.split(';')[0]!
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
  expect(brief(one)).toBe('Iteration 2/10: gate `npm test\u0007`, 1m30s, began 12s ago, 1,000 tokens, $0.02')
})

test('a wait for a limit is a countdown with the way to skip it', () => {
  const until = new Date(2026, 1, 14, 12, 16, 12).getTime()
  const wait = { until, ms: until - at }
  const decision = { do: 'wait', until, reason: { code: 'usage_limit' } } as const
  const line = 'waiting for usage limit: 2h13m left, until 12:16; skip: pawl resume --now'
  const one = watched({ running: false, outcome: { status: 'unavailable' }, wait, decision })
  expect(texts(one)).toEqual([line, expect.stringMatching(/^1,000 tokens/)])
  expect(brief(one)).toBe(`${line}, 1,000 tokens, $0.02`)
  const away = { ...decision, reason: { code: 'agent_unavailable' } }
  expect(texts(watched({ running: false, wait: { until: at - 5, ms: 0 }, decision: away }))[0]).toBe(
    'waiting (the agent could not be started): 0s left, until 10:03; skip: pawl resume --now',
  )
})

test('a question says how long it has been open', () => {
  expect(texts(watched({ running: false, question: { id: 'q', topic: { code: 'paused' } } }))[0]).toBe(
    'paused, for 30s; go on with: pawl answer',
  )
})

test('bounds are bars: what was begun shows, only what is spent is full, and a mark is where something else happens', () => {
  const bound = { cap: 'tokens', name: 'tokens', used: 1, of: 1000, unit: 'tokens' } as const
  const bounds = [
    { ...bound, cap: 'attemptsPerRun', name: 'iterations', used: 2, of: 7, unit: 'count' } as const,
    { ...bound, soft: { from: 500, says: 'a stronger model' } },
    { ...bound, used: 999, atLeast: true as const },
    { ...bound, used: 1000 },
    { ...bound, used: 0, of: 0 },
  ]
  const line = liveLines({ doing: ['x'], bounds, brief: [] }, rendering)[1]!.text
  expect(line.split('  ')).toEqual([
    'iterations [###.....] 2/7',
    'tokens [#...|...] 0%',
    'tokens [#######.] >=99%',
    'tokens [########] 100%',
    'tokens [########] 100%',
  ])
})

test('a new attempt forgets what the last one said; a recorded call is no longer counted beside the totals', () => {
  const event = (type: LoopEvent['type']): LoopEvent => ({ type }) as LoopEvent
  const usage = { tokens: 5, costUsd: 1 }
  const view = { state: base, memo: null }
  const first = afterProgress(afterEvent(undefined, event('run-started'), view, 1), { ...said, usage }, 2)
  expect(first).toMatchObject({ saidAt: 2, usage })
  expect(afterProgress(first, said, 3).usage).toBe(usage)
  expect(afterEvent(first, event('call-ended'), view, 4)).toMatchObject({ said: { ...said, usage }, usage: undefined })
  expect(afterEvent(first, event('attempt-started'), view, 5)).toEqual({ view, eventAt: 5, saidAt: 5 })
})

test('what agents say is as much as a person can read, and how much was left out', () => {
  const output = createAgentOutput()
  expect(output.take(false)).toEqual([])
  for (let n = 0; n < 1_000_000; n++) output.hear({ phase: 'agent', says: `line ${n}` })
  const lines = output.take(false)
  expect(lines).toHaveLength(21)
  expect([lines[0], lines[19], lines[20]]).toEqual(['  | line 0', '  | line 19', '  | … 999980 lines left out'])
  output.hear({ phase: 'gate', says: 'npm test' })
  expect(output.take(true)).toEqual([])
  expect(output.take(false)).toEqual(['  | … 1 line left out'])
  output.hear({ phase: 'agent', says: 'x'.repeat(1_000_000) })
  expect(output.take(false)[0]!.length).toBeLessThan(2100)
})
