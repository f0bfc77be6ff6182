import { describe, expect, test } from 'vitest'
import type { Decision, Task } from '../../src/contract/event.ts'
import type { CapName } from '../../src/contract/values.ts'
import type { Policy } from '../../src/kernel/policy.ts'
import { emptyState, type LoopState } from '../../src/kernel/state.ts'
import { firstDivergence, nextStep } from '../../src/kernel/step.ts'
import { go } from './harness.ts'
import { procedure, scriptedWork } from './policies.ts'

const task: Task = { id: 'T', kind: 'work' }
const chore: Task = { id: 'C', kind: 'chore' }
const policyOf = (decision: Decision, next: Task = task): Policy<null> => ({
  ...procedure({}),
  pick: () => next,
  decide: () => decision,
  whenSpent: () => decision,
})
const settle: Decision = { do: 'settle', as: 'done' }
const step = (state: Partial<LoopState>, decision: Decision = settle, next?: Task) =>
  nextStep({ state: { ...emptyState, ...state }, memo: null }, policyOf(decision, next))
const stop = { do: 'stop', ending: 'failed', reason: { code: 'r' } } as const
const refused = (by: string) => ({
  do: 'decide',
  decision: { do: 'stop', ending: 'failed', reason: { code: 'cap_spent', cap: by } },
  by,
})

/** What is spent at exactly its bound, and at which of the three steps that matters: pick, attempt, judging again. */
const spent: readonly [CapName, Partial<LoopState>, string][] = [
  ['interruptionsInARow', { interruptionsInARow: 2 }, 'pick attempt evaluate chore'],
  ['tokens', { tokens: 2 }, 'pick attempt chore'],
  ['costUsd', { costUsd: 2 }, 'pick attempt chore'],
  ['activeMs', { activeMs: 2 }, 'pick attempt chore'],
  ['taskMs', { taskMs: 2 }, 'attempt'],
  ['attemptsPerRun', { attempts: 2 }, 'pick attempt'],
  ['failuresInARow', { failuresInARow: 2 }, 'pick attempt'],
  ['attemptsPerTask', { burned: 2 }, 'attempt'],
  ['tasks', { tasks: 2 }, 'pick'],
]

describe('bounds', () => {
  test.each(spent)('%s spent stands in the way of what it bounds, and of nothing else', (cap, used, where) => {
    const at = {
      pick: {},
      attempt: { task },
      evaluate: { task, outcome: { status: 'ok' }, interruptionsInARow: 1 },
      chore: { task: chore },
    } as const
    for (const [name, place] of Object.entries(at)) {
      const found = step({ ...place, ...used, caps: { [cap]: 2 } }, stop)
      expect([name, found.do === 'decide' && found.by]).toEqual([name, where.split(' ').includes(name) ? cap : false])
      expect(step({ ...place, ...used, caps: { [cap]: 3 } }, stop).do).not.toBe('decide')
    }
  })

  test('a cap of nothing is spent before anything begins', () => {
    expect(step({ caps: { tasks: 0 } }, stop)).toMatchObject({ do: 'decide', by: 'tasks' })
  })

  test('an attempt is judged although a cap is spent; grace lets one more begin', () => {
    const over = { task, tokens: 9, caps: { tokens: 9 } }
    expect(step({ ...over, outcome: { status: 'ok' } })).toEqual({ do: 'evaluate' })
    expect(step({ ...over, grace: true, graced: ['tokens'] })).toEqual({ do: 'attempt' })
  })

  test('grace lifts the cap that gave it and no other: a dead provider and a bound on money still hold', () => {
    const over = { task, tokens: 9, grace: true, graced: ['tokens'] } as const
    const caps = { tokens: 9, interruptionsInARow: 3, costUsd: 1 }
    expect(step({ ...over, caps, interruptionsInARow: 2 })).toEqual({ do: 'attempt' })
    expect(step({ ...over, caps, interruptionsInARow: 3 }, stop)).toMatchObject({ by: 'interruptionsInARow' })
    expect(step({ ...over, caps, costUsd: 1 }, stop)).toMatchObject({ by: 'costUsd' })
    const byPolicy = { ...over, graced: ['policy' as never] }
    expect(step({ ...byPolicy, caps })).toEqual({ do: 'attempt' })
    expect(step({ ...byPolicy, caps, interruptionsInARow: 3 }, stop)).toMatchObject({ by: 'interruptionsInARow' })
  })

  test('the 200th chore in a row is the last, work goes on', () => {
    expect(step({ choresInARow: 199 }, stop, chore).do).toBe('pick')
    expect(step({ choresInARow: 200 }, stop, chore)).toMatchObject({ by: 'kernel' })
    expect(step({ choresInARow: 200 }, stop, task).do).toBe('pick')
    expect(step({ choresInARow: 200, task: chore, outcome: { status: 'ok' } })).toEqual({ do: 'evaluate' })
  })

  test('a wait fits up to its bound, together with those before; a skipped one always', () => {
    const wait = { until: 100, ms: 60 }
    expect(step({ task, wait, waitMs: 40, caps: { waitMs: 100 } })).toEqual({ do: 'wait' })
    expect(step({ task, wait, waitMs: 41, caps: { waitMs: 100 } }, stop)).toMatchObject({ by: 'waitMs' })
    expect(step({ task, wait: { ...wait, skipped: true }, waitMs: 99, caps: { waitMs: 100 } })).toEqual({ do: 'wait' })
  })

  test('what comes first: recovery, the end, cancel, a question, a pause, a wait', () => {
    const wait = { until: 100, ms: 60 }
    const all = {
      running: true,
      stop,
      cancelBy: 'ann',
      question: { id: 'q', topic: { code: 't' } },
      pauseBy: 'ann',
      wait,
      task,
    }
    expect(step(all)).toEqual({ do: 'recover' })
    expect(step({ ...all, running: false })).toEqual({ do: 'end', stop })
    expect(step({ ...all, running: false, stop: undefined })).toMatchObject({ decision: { ending: 'cancelled' } })
    expect(step({ question: all.question, pauseBy: 'ann', wait, task })).toEqual({ do: 'ask' })
    expect(step({ pauseBy: 'ann', wait, task })).toMatchObject({ decision: { do: 'pause' }, by: 'person' })
  })

  test.each<[Decision, Partial<LoopState>]>([
    [settle, { task: undefined }],
    [{ do: 'raise', caps: { tokens: 99 } }, {}],
    [{ do: 'wait', until: 1, reason: { code: 'r' } }, {}],
    [{ do: 'retry' }, {}],
    [{ do: 'failover', via: 'x' }, {}],
    [{ do: 'escalate', via: 'x' }, {}],
    [{ do: 'escalate', via: 'x', grace: true }, { graced: ['tokens'] }],
    [{ do: 'escalate', via: 'x', grace: true }, { task: undefined }],
    [
      { do: 'escalate', via: 'x', grace: true },
      { escalations: 1, caps: { tokens: 2, escalations: 1 } },
    ],
  ])('a spent cap is not argued away: %j', (decision, state) => {
    expect(step({ task, tokens: 2, caps: { tokens: 2 }, ...state }, decision)).toEqual(refused('tokens'))
  })

  test('a policy may retry or fail over instead of one escalation too many, and raise nothing by itself', () => {
    const judged = {
      task,
      outcome: { status: 'ok' },
      verdict: { status: 'failed' },
      escalations: 1,
      caps: { escalations: 1 },
    } as const
    const policy: Policy<null> = { ...policyOf({ do: 'escalate', via: 'x' }), whenSpent: () => ({ do: 'retry' }) }
    const found = nextStep({ state: { ...emptyState, ...judged }, memo: null }, policy)
    expect(found).toEqual({ do: 'decide', decision: { do: 'retry' }, by: 'escalations' })
    expect(step(judged, { do: 'escalate', via: 'x' })).toEqual(refused('escalations'))
    expect(step(judged, { do: 'raise', caps: {} })).toMatchObject({
      decision: { reason: { code: 'not_allowed', decision: 'raise' } },
    })
  })

  test('a policy that would decide otherwise is found out', async () => {
    const { events } = await go(procedure({ tasks: 1 }), scriptedWork({}))
    const other = { ...procedure({ tasks: 1 }), decide: () => ({ do: 'retry' }) as const }
    expect(firstDivergence(events, other)).toMatchObject({ type: 'decision-made' })
  })
})
