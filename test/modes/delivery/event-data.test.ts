import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { deliveryData } from '../../../src/modes/delivery/core/event-data.ts'
import { findDataProblem } from '../../../src/run/event-data.ts'

const picked = (kind: 'work' | 'chore', data?: unknown) =>
  ({ type: 'task-picked', seq: 2, at: 0, picked: { id: 'S1', kind, title: 'S1', data } }) as unknown as LoopEvent
const door = { data: deliveryData, reasons: {} } as unknown as Parameters<typeof findDataProblem>[0]

test('a chore says which work it is, and of which story; a story need not', () => {
  expect(findDataProblem(door, picked('work'))).toBeUndefined()
  expect(findDataProblem(door, picked('chore', { do: 'baseline', story: 'S1' }))).toBeUndefined()
  expect(findDataProblem(door, picked('chore', { do: 'baseline' }))).toMatch(/^data\.story: /)
  expect(findDataProblem(door, picked('chore'))).toMatch(/^data: /)
})
