import { describe, expect, test } from 'vitest'
import type { Decision, Fact, LoopEvent, Note, Task } from '../../src/contract/event.ts'
import { emptyState, judging, type LoopState, reduce } from '../../src/kernel/state.ts'
import { call } from './policies.ts'

const task: Task = { id: 'T', kind: 'work' }
const chore: Task = { id: 'C', kind: 'chore' }
const old = call('old', 1)
const question = { id: 'q', topic: { code: 't' }, choices: ['yes', 'no'] }
const answer = { id: 4, by: 'ann', say: 'answer', questionId: 'q' } as const
const wait = { until: 70, ms: 20 }

/** A state in which no field is empty, so that every reset that is missing or too many shows. */
const full: LoopState = {
  seq: 8,
  caps: { tasks: 3, tokens: 9 },
  pins: { request: 'a' },
  tasks: 2,
  attempts: 3,
  tokens: 40,
  overheadTokens: 7,
  costUsd: 1,
  unknownCalls: 1,
  estimatedCalls: 0,
  activeMs: 100,
  waitMs: 50,
  escalations: 1,
  lastNote: 4,
  reopenedSeq: 0,
  failuresInARow: 2,
  interruptionsInARow: 1,
  choresInARow: 3,
  task,
  via: 'x',
  attempt: 2,
  running: false,
  burned: 1,
  retries: 1,
  taskMs: 30,
  calls: { old },
  outcome: { status: 'ok' },
  verdict: { status: 'failed' },
  decision: { do: 'retry' },
  answer,
  pauseBy: 'ann',
  cancelBy: 'bob',
  grace: true,
  graced: ['tokens'],
}
const event = (fact: Fact, attempt: number | null = 3): LoopEvent => ({
  seq: 9,
  at: 50,
  ms: 5,
  task: 'T',
  attempt,
  epoch: 1,
  ...fact,
})
const decided = (decision: Decision, by = 'policy'): Fact => ({ type: 'decision-made', decision, by })
const noted = (note: Note): Fact => ({ type: 'note-received', note })
const unjudged = { outcome: undefined, verdict: undefined, decision: undefined, answer: undefined }
const estimated = { ...call('new', 5), usage: { tokens: 5, costUsd: null, estimated: true as const } }
const unused = { burned: 0, retries: 0 }
const [ok, failed] = [{ status: 'ok' } as const, { status: 'failed' } as const]

type Case = readonly [name: string, fact: Fact, change: Partial<LoopState>, before?: Partial<LoopState>]
const cases: Case[] = [
  [
    'started keeps caps and pins',
    { type: 'run-started', journal: 2, policy: 'p', version: 1, caps: { tasks: 1 }, pins: { b: 'c' } },
    { caps: { tasks: 1 }, pins: { b: 'c' } },
  ],
  [
    'resumed while judging is an interruption',
    { type: 'run-resumed' },
    { interruptionsInARow: 2 },
    { verdict: undefined, decision: undefined },
  ],
  ['resumed otherwise is none', { type: 'run-resumed' }, {}],
  [
    'reopened renews allowances, not totals',
    { type: 'run-reopened', by: 'ann', caps: { tokens: 99 } },
    {
      ...unjudged,
      ...unused,
      taskMs: 0,
      failuresInARow: 0,
      interruptionsInARow: 0,
      choresInARow: 0,
      grace: false,
      graced: [],
      cancelBy: undefined,
      pauseBy: undefined,
      ended: undefined,
      stop: undefined,
      wait: undefined,
      question: undefined,
      caps: { tasks: 3, tokens: 99 },
      activeMs: 100,
      reopenedSeq: 9,
    },
    {
      ended: { ending: 'failed', reason: { code: 'r' } },
      stop: { do: 'stop', ending: 'failed', reason: { code: 'r' } },
      wait,
      question,
    },
  ],
  [
    'a pick begins anew and goes on numbering',
    { type: 'task-picked', picked: { ...task, tried: 7, via: 'y' } },
    {
      ...unjudged,
      ...unused,
      taskMs: 0,
      task: { ...task, tried: 7, via: 'y' },
      via: 'y',
      attempt: 7,
      calls: {},
      grace: false,
    },
  ],
  [
    'an attempt starts without what was paid for the one before',
    { type: 'attempt-started', via: 'z' },
    { ...unjudged, via: 'z', attempt: 3, running: true, calls: {} },
  ],
  [
    'an attempt after an interrupted one keeps what was paid',
    { type: 'attempt-started', via: 'z' },
    { ...unjudged, via: 'z', attempt: 3, running: true },
    { outcome: { status: 'interrupted' } },
  ],
  [
    'a call counts and is kept beside the others',
    { type: 'call-ended', call: { ...call('new', 5), usage: { tokens: 5, costUsd: 0.5 } } },
    { calls: { old, new: { ...call('new', 5), usage: { tokens: 5, costUsd: 0.5 } } }, tokens: 45, costUsd: 1.5 },
  ],
  [
    'what is not the work itself is counted apart',
    { type: 'call-ended', call: { ...call('new', 5), overhead: true } },
    { calls: { old, new: { ...call('new', 5), overhead: true } }, overheadTokens: 12 },
  ],
  [
    'a call of unknown price is counted as such',
    { type: 'call-ended', call: call('new', null) },
    { calls: { old, new: call('new', null) }, unknownCalls: 2 },
  ],
  [
    'an estimated price is counted as such',
    { type: 'call-ended', call: estimated },
    { calls: { old, new: estimated }, tokens: 45, estimatedCalls: 1 },
  ],
  [
    'a note from before the last reopening changes nothing',
    noted({ id: 5, by: 'eve', say: 'cancel', seen: 6 }),
    { lastNote: 5 },
    { reopenedSeq: 7 },
  ],
  [
    'a note of somebody who saw the reopening counts',
    noted({ id: 5, by: 'eve', say: 'cancel', seen: 7 }),
    { lastNote: 5, cancelBy: 'eve', question: undefined },
    { reopenedSeq: 7 },
  ],
  [
    'work burns an attempt and ends both streaks',
    { type: 'attempt-ended', outcome: failed },
    { outcome: failed, running: false, burned: 2, attempts: 4, interruptionsInARow: 0, choresInARow: 0 },
    { running: true },
  ],
  [
    'a chore burns none and lengthens its streak',
    { type: 'attempt-ended', outcome: ok },
    { interruptionsInARow: 0, choresInARow: 4 },
    { task: chore },
  ],
  [
    'an interruption burns nothing, not for a chore either',
    { type: 'attempt-ended', outcome: { status: 'interrupted' } },
    { outcome: { status: 'interrupted' }, interruptionsInARow: 2 },
    { task: chore },
  ],
  [
    'a verdict ends grace and interruptions',
    { type: 'verdict-reached', verdict: failed },
    { grace: false, interruptionsInARow: 0, failuresInARow: 3 },
  ],
  [
    'a chore that fails is no failure in a row',
    { type: 'verdict-reached', verdict: failed },
    { grace: false, interruptionsInARow: 0 },
    { task: chore },
  ],
  [
    'no verdict is an interruption',
    { type: 'verdict-reached', verdict: { status: 'unavailable' } },
    { verdict: { status: 'unavailable' }, interruptionsInARow: 2 },
  ],
  [
    'a settled task is closed',
    decided({ do: 'settle', as: 'done' }),
    { decision: { do: 'settle', as: 'done' }, tasks: 3, task: undefined, grace: false, calls: {} },
  ],
  [
    'a settled chore is no task',
    decided({ do: 'settle', as: 'done' }),
    { decision: { do: 'settle', as: 'done' }, task: undefined, grace: false, calls: {} },
    { task: chore },
  ],
  [
    'settling ends a wait',
    decided({ do: 'settle', as: 'failed' }),
    {
      decision: { do: 'settle', as: 'failed' },
      tasks: 3,
      task: undefined,
      grace: false,
      calls: {},
      wait: undefined,
      activeMs: 100,
      taskMs: 30,
      waitMs: 55,
    },
    { wait },
  ],
  [
    'a retry after a verdict counts',
    decided({ do: 'retry', afterMs: 10 }),
    { decision: { do: 'retry', afterMs: 10 }, retries: 2, wait: { until: 60, ms: 10 } },
  ],
  ['a retry after an interruption does not', decided({ do: 'retry' }), {}, { verdict: undefined }],
  [
    'escalating forgets retries and keeps a grace',
    decided({ do: 'escalate', via: 'big' }),
    { decision: { do: 'escalate', via: 'big' }, via: 'big', retries: 0, escalations: 2 },
  ],
  [
    'failing over changes only the way',
    decided({ do: 'failover', via: 'other' }),
    { decision: { do: 'failover', via: 'other' }, via: 'other' },
  ],
  [
    'a moment that has passed is no wait',
    decided({ do: 'wait', until: 10, reason: { code: 'r' } }),
    { decision: { do: 'wait', until: 10, reason: { code: 'r' } }, wait: { until: 10, ms: 0 } },
  ],
  [
    'a question replaces the wish to pause and the last answer',
    decided({ do: 'pause', question }),
    { question, pauseBy: undefined, answer: undefined },
  ],
  [
    'a raise adds to the caps and uses the answer up',
    decided({ do: 'raise', caps: { costUsd: 2 } }),
    { caps: { tasks: 3, tokens: 9, costUsd: 2 }, answer: undefined },
  ],
  [
    'after a wait for the judge the verdict is owed again',
    { type: 'wait-ended', skipped: false },
    { wait: undefined, verdict: undefined, decision: undefined, activeMs: 100, taskMs: 30, waitMs: 55 },
    { wait, verdict: { status: 'unavailable' }, decision: { do: 'wait', until: 70, reason: { code: 'r' } } },
  ],
  [
    'after the pause of a retry a new attempt begins',
    { type: 'wait-ended', skipped: false },
    { wait: undefined, activeMs: 100, taskMs: 30, waitMs: 55 },
    { wait, verdict: { status: 'unavailable' } },
  ],
  [
    'an open question spends no time',
    noted({ id: 5, by: 'ann', say: 'feedback', text: { path: 'f', sha256: 's', bytes: 1 } }),
    { lastNote: 5, activeMs: 100, taskMs: 30 },
    { question },
  ],
  [
    'an ended run spends no time',
    { type: 'run-resumed' },
    { activeMs: 100, taskMs: 30 },
    { ended: { ending: 'failed', reason: { code: 'r' } } },
  ],
  [
    'an answer to another question changes nothing',
    noted({ ...answer, id: 5, questionId: 'p', choice: 'yes' }),
    { lastNote: 5, activeMs: 100, taskMs: 30 },
    { question },
  ],
  ['a note counts once', noted({ id: 4, by: 'eve', say: 'cancel' }), {}],
  [
    'a pause while a question is open changes nothing',
    noted({ id: 5, by: 'eve', say: 'pause' }),
    { lastNote: 5, activeMs: 100, taskMs: 30 },
    { question },
  ],
  [
    'unpause closes the question of a pause',
    noted({ id: 5, by: 'eve', say: 'unpause' }),
    { lastNote: 5, question: undefined, pauseBy: undefined, activeMs: 100, taskMs: 30 },
    { question: { id: 'pause-3', topic: { code: 'paused' } } },
  ],
  [
    'unpause before the pause begins prevents it',
    noted({ id: 5, by: 'eve', say: 'unpause' }),
    { lastNote: 5, question: undefined, pauseBy: undefined },
    { pauseBy: 'ann' },
  ],
  [
    'unpause answers no question',
    noted({ id: 5, by: 'eve', say: 'unpause' }),
    { lastNote: 5, pauseBy: undefined, activeMs: 100, taskMs: 30 },
    { question },
  ],
  [
    'cancel closes the question',
    noted({ id: 5, by: 'eve', say: 'cancel' }),
    { lastNote: 5, cancelBy: 'eve', question: undefined, activeMs: 100, taskMs: 30 },
    { question },
  ],
  [
    'a raise by note adds to the caps',
    noted({ id: 5, by: 'eve', say: 'raise', caps: { tokens: 10 } }),
    { lastNote: 5, caps: { tasks: 3, tokens: 10 } },
  ],
]

describe('every event changes what it must, and nothing else', () => {
  for (const [name, fact, change, before = {}] of cases) {
    test(name, () => {
      const state = { ...full, ...before }
      expect(reduce(state, event(fact))).toEqual({ ...state, seq: 9, activeMs: 105, taskMs: 35, ...change })
    })
  }

  test('nothing is judged once it is decided', () => {
    expect(judging({ ...emptyState, task, outcome: ok })).toBe(true)
    expect(judging({ ...emptyState, task, outcome: ok, decision: { do: 'retry' } })).toBe(false)
  })
})
