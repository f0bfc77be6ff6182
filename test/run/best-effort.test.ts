import { describe, expect, test } from 'vitest'
import { NotSavedError, StaleWriterError } from '../../src/ports/journal.ts'
import { bestEffort, bestEffortContent } from '../../src/run/execution/best-effort.ts'
import { memoryJournal } from '../../src/testing/memory.ts'

describe('best effort', () => {
  const draft = { type: 'run-resumed', seq: 1, at: 0, ms: 0, task: null, attempt: null } as const

  test('after the first failure nothing is written any more, and the loop goes on', async () => {
    const journal = memoryJournal()
    const told: unknown[] = []
    const { append } = journal
    let broken = true
    journal.append = (event) => (broken ? Promise.reject(new NotSavedError('disk full')) : append(event))
    const lenient = bestEffort(journal, (error) => told.push(error))
    expect(await lenient.append(draft)).toMatchObject({ type: 'run-resumed' })
    broken = false
    await lenient.append(draft)
    await lenient.sync()
    expect([journal.events.length, told.length]).toEqual([0, 1])
  })

  test('an owner that was taken over stops all the same', async () => {
    const journal = memoryJournal()
    journal.append = () => Promise.reject(new StaleWriterError('taken over'))
    await expect(bestEffort(journal, () => {}).append(draft)).rejects.toThrow('taken over')
  })

  test('content that cannot be kept is done without', async () => {
    const fail = () => Promise.reject(new NotSavedError('disk full'))
    const told: unknown[] = []
    const lenient = bestEffortContent({ put: fail, adopt: fail, get: fail }, (error) => told.push(error))
    expect([await lenient.put('a', 'b'), await lenient.adopt('/x'), told.length]).toEqual([undefined, undefined, 2])
  })
})
