import { expect, test } from 'vitest'
import type { Outcome, Verdict } from '../../../src/contract/event.ts'
import { emptyState } from '../../../src/kernel/state.ts'
import type { ProcedureRequest } from '../../../src/modes/procedure/contract/request.ts'
import { procedurePolicy } from '../../../src/modes/procedure/core/policy.ts'
import { procedureReasons } from '../../../src/modes/procedure/core/reasons.ts'
import { chooseEndExit } from '../../../src/run/errors.ts'
import { findReasonProblem, formatReason } from '../../../src/show/reasons.ts'
import { fakeClock } from '../../../src/testing/memory.ts'
import { go } from '../../kernel/harness.ts'

type Step = { outcome?: Outcome; verdict?: Verdict }
const agent = { name: 'scripted', argv: ['x'] } as const
type Terms = Partial<Pick<ProcedureRequest, 'redIsFine' | 'stuck' | 'gates'>> & { threshold?: number }
const loop = (until: ProcedureRequest['until'], steps: readonly Step[], tasks = 9, terms: Terms = {}) => {
  const { redIsFine = false, stuck = false, gates = ['make test'], threshold = 3 } = terms
  const step = (id: string): Step => steps[Number(id.slice('iteration-'.length)) - 1] ?? {}
  return go(
    procedurePolicy(
      { until, redIsFine, stuck, gates, agent },
      { tasks, failuresInARow: threshold, interruptionsInARow: 5 },
    ),
    {
      attempt: async (a) => step(a.task.id).outcome ?? { status: 'ok' },
      evaluate: async (a) => step(a.task.id).verdict ?? { status: 'passed' },
    },
  )
}
const red: Verdict = { status: 'failed' }
const promised: Outcome = { status: 'ok', data: { promise: 'SUCCESS' } }

test('only the maximum and the threshold end a procedure that is never done', async () => {
  expect((await loop('never', [{ outcome: promised }], 4)).state).toMatchObject({
    tasks: 4,
    ended: { ending: 'completed' },
  })
  expect((await loop('never', [{ verdict: red }, { verdict: red }, { verdict: red }])).state.ended?.reason).toEqual({
    code: 'cap_spent',
    cap: 'failuresInARow',
  })
})

test('green gates end it if until allows; a promise alone never does', async () => {
  expect((await loop('gates', [{ verdict: red }])).state.tasks).toBe(2)
  expect(
    (await loop('promise+gates', [{}, { outcome: promised, verdict: red }, { outcome: promised }])).state.tasks,
  ).toBe(3)
  expect((await loop('promise+gates', [{}, {}], 5)).state.tasks).toBe(5)
  expect((await loop('promise+gates', [{ outcome: promised, verdict: red }, {}], 5)).state.tasks).toBe(5)
})

test('the maximum with a red gate at last is a failure, unless that is fine', async () => {
  expect((await loop('never', [{}, { verdict: red }], 2)).state.ended?.ending).toBe('failed')
  expect((await loop('promise+gates', [{}, {}], 2)).state.ended?.ending).toBe('failed')
  expect((await loop('gates', [{ verdict: red }, {}], 2)).state.ended?.ending).toBe('completed')
  expect((await loop('never', [{}, { verdict: red }], 2, { redIsFine: true })).state.ended?.ending).toBe('completed')
})

test('without a gate neither a promise nor an exit code ends it: it goes on to its bound, and the end says so', async () => {
  for (const until of ['promise+gates', 'gates'] as const) {
    const { state } = await loop(until, [{ outcome: promised }, { outcome: promised }], 4, { gates: [] })
    expect([state.tasks, state.ended]).toEqual([
      4,
      { ending: 'failed', reason: { code: 'max_iterations', iterations: 4, missing: 'gates' } },
    ])
    expect(findReasonProblem(procedureReasons, state.ended!.reason)).toBeUndefined()
    expect(formatReason(procedureReasons, state.ended!.reason)).toContain('no gate is configured')
  }
  expect((await loop('never', [], 2, { gates: [] })).state.ended?.ending).toBe('completed')
})

test('the maximum says what was missing: the promise, a passing iteration, or any iteration at all', async () => {
  const cut: Step = { outcome: { status: 'interrupted' } }
  const missing = async (...given: Parameters<typeof loop>) => (await loop(...given)).state.ended?.reason.missing
  expect(await missing('promise+gates', [{ outcome: promised, verdict: red }, {}], 2)).toBe('promise')
  expect(await missing('promise+gates', [{}, { verdict: red }], 2)).toBe('green')
  expect(await missing('never', [{}, { verdict: red }], 2)).toBe('green')
  expect(await missing('never', [cut, cut], 2)).toBe('iteration')
  expect(await missing('never', [{}, cut], 2)).toBeUndefined()
})

test('a run without a completed iteration is no success, also under the rules of seed 002', async () => {
  const cut: Step = { outcome: { status: 'interrupted' } }
  const { state, memo } = await loop('never', [cut], 1, { redIsFine: true })
  expect(state.ended).toEqual({
    ending: 'failed',
    reason: { code: 'max_iterations', iterations: 1, missing: 'iteration' },
  })
  expect(chooseEndExit(procedureReasons, { state, memo })).toBe(20)
  expect((await loop('never', [cut, { verdict: red }], 2, { redIsFine: true })).state.ended?.ending).toBe('completed')
})

test('a spent bound says what was missing too', async () => {
  const policy = procedurePolicy({ until: 'promise+gates', redIsFine: false, gates: ['x'], agent }, { tokens: 10 })
  const { state } = await go(policy, {
    attempt: async (a) => {
      await a.record({ key: 'agent', via: 'x', status: 'ok', usage: { tokens: 10, costUsd: 0 }, providerMs: 0 })
      return { status: 'ok' }
    },
    evaluate: async () => ({ status: 'passed' }),
  })
  expect(state.ended?.reason).toEqual({ code: 'cap_spent', cap: 'tokens', missing: 'promise' })
  expect(formatReason(procedureReasons, state.ended!.reason)).toMatch(/^token limit reached: all gates passed/)
})

test('an interrupted iteration counts as one and is not repeated', async () => {
  const run = await loop('never', [{ outcome: { status: 'interrupted' } }], 3)
  expect(run.memo).toMatchObject({ done: 2, interrupted: 1 })
  expect(run.state.tasks).toBe(3)
})

const did = (data: object): Step => ({ outcome: { status: 'ok', data: data as never } })
const idle = did({ changed: false })
const busy = did({ changed: true })
const failing = (mark: string): Step => ({ verdict: { status: 'failed', data: { by: 'gate', mark } } })
const endOf = async (steps: readonly Step[], terms: Terms = {}) => {
  const { state } = await loop('never', steps, 12, { stuck: true, ...terms })
  const { reason } = state.ended!
  expect(findReasonProblem(procedureReasons, reason)).toBeUndefined()
  return [state.tasks, formatReason(procedureReasons, reason)]
}

test('two iterations in a row that change nothing end it; a change in between does not', async () => {
  expect(await endOf([busy, idle, idle])).toEqual([3, 'stuck: 2 iterations in a row changed nothing'])
  expect(await endOf([idle, busy, idle, busy])).toEqual([12, 'reached max iterations'])
  expect(await endOf([did({ changed: null }), did({ changed: null }), did({})])).toEqual([12, 'reached max iterations'])
  const failed: Step = { outcome: { status: 'failed', data: { changed: false } }, verdict: red }
  expect(await endOf([failed, failed, busy])).toEqual([12, 'reached max iterations'])
})

test('two iterations that were denied permission end it, whatever they changed', async () => {
  const denied = did({ changed: true, denied: 2 })
  expect(await endOf([denied, denied])).toEqual([2, 'stuck: the agent was denied permission in 2 iterations in a row'])
})

test('a repeated failure and alternating results are stuck', async () => {
  const [a, b] = [failing('a'), failing('b')]
  expect(await endOf([a, a, a, a, a], { threshold: 9 })).toEqual([5, 'stuck: the same failure 5 times in a row'])
  expect(await endOf([a, a, b, a, a, b, a, a], { threshold: 9 })).toEqual([12, 'reached max iterations'])
  expect(await endOf([a, b, a, b, a, b], { threshold: 9 })).toEqual([6, 'stuck: 6 iterations went back and forth'])
  expect(await endOf([busy, a, busy, a, busy, a])).toEqual([6, 'stuck: 6 iterations went back and forth'])
})

test('the failure threshold takes precedence over stuck; off disables stuck', async () => {
  const a = failing('a')
  expect(await endOf([a, a, a, a, a], { threshold: 5 })).toEqual([5, 'too many failures in a row'])
  expect(await endOf([idle, idle, idle], { stuck: false })).toEqual([12, 'reached max iterations'])
})

test('an agent that says it is blocked, or is not logged in, needs a person', async () => {
  const blocked: Step = { outcome: { status: 'ok', data: { promise: 'BLOCKED' } } }
  expect((await loop('promise+gates', [blocked])).state.ended).toMatchObject({ ending: 'blocked' })
  expect((await loop('never', [blocked], 2)).state.ended).toMatchObject({ ending: 'completed' })
  const loggedOut: Step = { outcome: { status: 'failed', data: { fault: 'login' } }, verdict: red }
  expect((await loop('never', [loggedOut])).state.ended).toEqual({
    ending: 'blocked',
    reason: { code: 'not_logged_in' },
  })
})

test('an agent that did no work blocks the run at once; a limit, an outage and a timeout do not', async () => {
  const idle = { worked: false }
  for (const status of ['failed', 'ok'] as const) {
    const { state } = await loop('never', [{ outcome: { status, data: idle }, verdict: red }])
    expect([state.attempts, state.ended]).toEqual([1, { ending: 'blocked', reason: { code: 'agent_did_nothing' } }])
    expect(findReasonProblem(procedureReasons, state.ended!.reason)).toBeUndefined()
  }
  const later: Outcome = { status: 'unavailable', retryAt: 1, data: { ...idle, fault: 'limit' } }
  let tries = 0
  const policy = procedurePolicy({ until: 'never', redIsFine: false, gates: [], agent }, { tasks: 1 })
  const waited = await go(policy, {
    attempt: async () => (++tries < 2 ? later : { status: 'ok' }),
    evaluate: async () => ({ status: 'passed' }),
  })
  expect(waited.state.ended?.ending).toBe('completed')
  const slow: Step = { outcome: { status: 'timed-out', data: idle }, verdict: red }
  expect((await loop('never', [slow], 2)).state.tasks).toBe(2)
})

test('a provider without a reset time is retried after 15 s, doubled each time, and costs nothing', async () => {
  let tries = 0
  const gone: Outcome = { status: 'unavailable', data: { fault: 'provider' } }
  const policy = procedurePolicy(
    { until: 'never', redIsFine: false, stuck: true, gates: [], agent },
    { tasks: 1, interruptionsInARow: 9 },
  )
  const run = await go(
    policy,
    {
      attempt: async () => (++tries < 4 ? gone : { status: 'ok' }),
      evaluate: async () => ({ status: 'passed' }),
    },
    { clock: fakeClock(1e6) },
  )
  expect(run.state).toMatchObject({ tasks: 1, attempts: 1, waitMs: 105_000, ended: { ending: 'completed' } })
})

test('changes made on resume apply from there on', async () => {
  const note = { id: 1, by: 'ann', say: 'amend', terms: { agent: 'codex', until: 'gates' } } as const
  const event = { type: 'note-received', note: { ...note, request: { path: 'r', sha256: '', bytes: 1 } } } as const
  const { fold, memo, pick } = procedurePolicy({ until: 'never', redIsFine: false, gates: ['make test'], agent }, {})
  const after = fold(memo, { ...event, seq: 1, epoch: 1, at: 0, ms: 0, task: null, attempt: null }, emptyState)
  expect(pick({ state: emptyState, memo: after })).toMatchObject({ via: 'codex' })
  expect(pick({ state: emptyState, memo: { ...after, done: 1, last: 'passed' } })).toMatchObject({
    reason: { code: 'gates_green' },
  })
})
