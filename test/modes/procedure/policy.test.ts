import { expect, test } from 'vitest'
import type { Outcome, Verdict } from '../../../src/contract/event.ts'
import type { ProcedureRequest } from '../../../src/contract/request.ts'
import { procedurePolicy } from '../../../src/modes/procedure/policy.ts'
import { go } from '../../kernel/harness.ts'

type Step = { outcome?: Outcome; verdict?: Verdict }
const agent = { name: 'scripted', argv: ['x'] } as const
const loop = (until: ProcedureRequest['until'], steps: readonly Step[], tasks = 9, redIsFine = false) => {
  const step = (id: string): Step => steps[Number(id.slice('iteration-'.length)) - 1] ?? {}
  return go(procedurePolicy({ until, redIsFine, agent }, { tasks, failuresInARow: 3, interruptionsInARow: 5 }), {
    attempt: async (a) => step(a.task.id).outcome ?? { status: 'ok' },
    evaluate: async (a) => step(a.task.id).verdict ?? { status: 'passed' },
  })
}
const red: Verdict = { status: 'failed' }
const promised: Outcome = { status: 'ok', data: { promise: 'SUCCESS' } }

test('only the maximum and the threshold end a procedure that is never done', async () => {
  expect((await loop('never', [{ outcome: promised }], 4)).state).toMatchObject({
    tasks: 4,
    ended: { ending: 'completed' },
  })
  expect((await loop('never', [{ verdict: red }, { verdict: red }, { verdict: red }])).state.ended?.reason).toBe(
    'cap spent: failuresInARow',
  )
})

test('green gates end it where they may; a promise alone never does', async () => {
  expect((await loop('gates', [{ verdict: red }])).state.tasks).toBe(2)
  expect(
    (await loop('promise+gates', [{}, { outcome: promised, verdict: red }, { outcome: promised }])).state.tasks,
  ).toBe(3)
  expect((await loop('promise+gates', [{}, {}], 5)).state.tasks).toBe(5)
})

test('the maximum with a red gate at last is a failure, unless that is fine', async () => {
  expect((await loop('never', [{}, { verdict: red }], 2)).state.ended?.ending).toBe('failed')
  expect((await loop('never', [{}, { verdict: red }], 2, true)).state.ended?.ending).toBe('completed')
})

test('an interrupted iteration counts as one and is not repeated', async () => {
  const run = await loop('never', [{ outcome: { status: 'interrupted' } }], 3)
  expect(run.memo).toMatchObject({ done: 2, interrupted: 1 })
  expect(run.state.tasks).toBe(3)
})
