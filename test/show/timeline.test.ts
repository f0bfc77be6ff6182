import { expect, test } from 'vitest'
import type { LoopEvent } from '../../src/contract/event.ts'
import { emptyState, reduce } from '../../src/kernel/state.ts'
import { createTimeline } from '../../src/show/timeline.ts'
import { eventsOf, gateFailed, iteration, passed, type Written } from '../support/written-events.ts'

const started: Written = { type: 'run-started', journal: 2, policy: 'p', version: 1, caps: {}, pins: {} }
const unit = { one: 'iteration', many: 'iterations' }

function layOut(facts: readonly Written[], planned: readonly { id: string; title: string }[] = []) {
  const timeline = createTimeline()
  let state = emptyState
  for (const event of eventsOf([started, ...facts]) as readonly LoopEvent[]) {
    state = reduce(state, event)
    timeline.see(event, state)
  }
  return { ...timeline.build((id) => id, unit, planned), steered: timeline.steered() }
}

test('attempts with their work, verdict, cost and what followed', () => {
  const { tasks, from, to } = layOut([
    ...iteration(1, gateFailed(0, 1), { tokens: 10, costUsd: 0.5 }),
    ...iteration(2, passed(1)),
  ])
  expect(tasks.map(({ id, state }) => [id, state])).toEqual([
    ['iteration-1', 'failed'],
    ['iteration-2', 'done'],
  ])
  const [first] = tasks[0]!.attempts
  expect(first).toMatchObject({ n: 1, outcome: 'ok', verdict: 'failed', ledTo: 'failed', tokens: 10, costUsd: 0.5 })
  expect([first!.workedTo! - first!.from, first!.to! - first!.from]).toEqual([120_000, 180_000])
  expect(tasks[1]!.attempts[0]).toMatchObject({ verdict: 'passed', ledTo: 'kept', tokens: null })
  expect(to - from).toBe(360_000)
})

test('planned tasks that have not begun are open, in order, with their titles', () => {
  const planned = [1, 2, 3].map((at) => ({ id: `iteration-${at}`, title: `Title ${at}` }))
  const { tasks } = layOut(iteration(1, passed(1)), planned)
  expect(tasks.map(({ title, state }) => [title, state])).toEqual([
    ['Title 1', 'done'],
    ['Title 2', 'open'],
    ['Title 3', 'open'],
  ])
})

test('a stronger model, waits, questions, absences and what people did', () => {
  const task: Written = { type: 'task-picked', picked: { id: 't', kind: 'work' } }
  const attempt = (via: string, score: number): Written[] => [
    { type: 'attempt-started', via },
    { type: 'attempt-ended', outcome: { status: 'ok' }, after: 1 },
    { type: 'verdict-reached', verdict: { status: 'failed', score } },
  ]
  const { tasks, pauses, steered } = layOut([
    task,
    ...attempt('small', 60),
    { type: 'decision-made', decision: { do: 'escalate', via: 'large' }, by: 'policy' },
    ...attempt('large', 75),
    { type: 'decision-made', decision: { do: 'wait', until: 0, reason: { code: 'x' } }, by: 'policy' },
    { type: 'wait-ended', skipped: false, after: 5 },
    { type: 'decision-made', decision: { do: 'pause', question: { id: 'q', topic: { code: 'x' } } }, by: 'policy' },
    { type: 'note-received', note: { id: 1, by: 'mara', say: 'answer', questionId: 'q' }, after: 2 },
    { type: 'run-interrupted', by: 'SIGTERM' },
    { type: 'run-resumed', after: 9 },
  ])
  expect(tasks[0]!.attempts.map(({ via, stronger, score }) => [via, stronger, score])).toEqual([
    ['small', false, 60],
    ['large', true, 75],
  ])
  expect(pauses.map(({ kind, from, to }) => [kind, to! - from])).toEqual([
    ['wait', 300_000],
    ['question', 120_000],
    ['away', 540_000],
  ])
  expect(steered).toMatchObject([{ by: 'mara', says: 'mara answered' }])
})
