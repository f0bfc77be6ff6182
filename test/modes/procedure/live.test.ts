import { expect, test } from 'vitest'
import type { Live } from '../../../src/contract/show.ts'
import { emptyState, type LoopState } from '../../../src/kernel/state.ts'
import { emptyMemo, type ProcedureMemo } from '../../../src/modes/procedure/core/memo.ts'
import { procedureShow } from '../../../src/modes/procedure/show/show.ts'
import { afterProgress } from '../../../src/run/execution/listeners.ts'
import type { Watched } from '../../../src/show/show.ts'
import { renderLive } from '../../../src/surfaces/terminal/display.ts'
import { oneLine } from '../../../src/surfaces/terminal/plain-text.ts'
import { lineText } from '../../support/render.ts'

const at = new Date(2026, 1, 14, 10, 3, 12).getTime()
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
type Seen = Watched<ProcedureMemo>
const watched = (state: Partial<LoopState>, more: Partial<Seen> = {}): Seen => ({
  view: { state: { ...base, ...state }, memo: emptyMemo },
  eventAt: at - 30_000,
  saidAt: at - 12_000,
  now: at,
  ...more,
})
const about = { id: 'r', name: 'build', request: null as never, inputs: null, words: () => undefined }
const live = (seen: Seen): Live => procedureShow.live(seen, about)
const texts = (seen: Seen): string[] =>
  renderLive(live(seen), { program: 'pawl', cwd: '/repo', now: at, ticks: true }).map(({ text }) => text)
const brief = (seen: Seen): string => oneLine(lineText(live(seen).brief, { now: at, ticks: true }))
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

test('a provider error takes the place of the last output, also where nothing can be redrawn', () => {
  const refused = { phase: 'agent', says: 'provider error 401: bad key, retry 3 of 10', problem: 'provider' } as const
  const line = 'provider error 401: bad key, retry 3 of 10 (12s ago)'
  expect(texts(watched({}, { said: refused }))[1]).toBe(line)
  expect(brief(watched({}, { said: refused }))).toContain(`1m30s, ${line}, `)
})

test('a denied action stays named until the attempt ends', () => {
  const state = { view: watched({}).view, eventAt: 0, saidAt: 0 }
  const denial = (says: string) => ({ phase: 'agent', says, problem: 'denied' }) as const
  const one = afterProgress(state, denial('denied: Bash rm -rf x'), 1)
  const two = afterProgress(afterProgress(one, denial('denied: Write /etc/a'), 2), said, 3)
  expect(texts({ ...one, now: at })[2]).toMatch(/^denied: Bash rm -rf x; /)
  expect(texts({ ...two, now: at })[2]).toMatch(/^denied: Write \/etc\/a \(2 in this attempt\); /)
  expect(brief({ ...two, now: at })).toContain('denied: Write /etc/a (2 in this attempt)')
})

test('an unknown count is not zero', () => {
  const line = (seen: Seen): string => texts(seen).at(-1)!.split(';')[0]!
  expect(line(watched({}))).toBe('at least 1,000 tokens, $0.02')
  expect(line(watched({}, { usage: { tokens: 200, costUsd: null } }))).toBe('1,200 tokens, at least $0.02')
  expect(line(watched({}, { usage: { tokens: 200, costUsd: 0.01, estimated: true } }))).toBe('~1,200 tokens, ~$0.03')
  expect(line(watched({ tokens: 0, costUsd: 0 }))).toBe('no token count yet')
  const call = { key: 'agent', via: 'x', status: 'ok', usage: { tokens: 500, costUsd: 0 }, providerMs: 1 } as const
  expect(line(watched({ calls: { agent: call } }))).toBe('1,000 tokens, $0.02')
  expect(line(watched({ running: false, unknownCalls: 1 }))).toBe('at least 1,000 tokens, $0.02')
})

test('a gate is named by its command, and its age is its own', () => {
  const seen = watched(
    { running: false, outcome: { status: 'ok' } },
    { said: { phase: 'gate', says: 'npm test\u0007' } },
  )
  expect(texts(seen).slice(0, 2)).toEqual(['Iteration 2/10: gate `npm test\\u{7}`, 1m30s', 'this gate started 12s ago'])
  expect(brief(seen)).toBe('Iteration 2/10: gate `npm test\\u{7}`, 1m30s, started 12s ago, 1,000 tokens, $0.02')
})

test('a wait for a limit is a countdown with the way to skip it', () => {
  const until = new Date(2026, 1, 14, 12, 16, 12).getTime()
  const wait = { until, ms: until - at }
  const decision = { do: 'wait', until, reason: { code: 'usage_limit' } } as const
  const line = 'waiting for usage limit: 2h13m left, until 12:16; skip: pawl resume --now'
  const seen = watched({ running: false, outcome: { status: 'unavailable' }, wait, decision })
  expect(texts(seen)).toEqual([line, expect.stringMatching(/^1,000 tokens/)])
  expect(brief(seen)).toBe(`${line}, 1,000 tokens, $0.02`)
  const away = { ...decision, reason: { code: 'agent_unavailable' } }
  expect(texts(watched({ running: false, wait: { until: at - 5, ms: 0 }, decision: away }))[0]).toBe(
    'waiting (the agent could not be started): 0s left, until 10:03; skip: pawl resume --now',
  )
})

test('a question says how long it has been open', () => {
  expect(texts(watched({ running: false, question: { id: 'q', topic: { code: 'paused' } } }))[0]).toBe(
    'paused (for 30s); continue with: pawl resume',
  )
})
