import { expect, test } from 'vitest'
import type { RunPayload } from '../../src/contract/web.ts'
import { compareRuns } from '../../src/show/compare.ts'

const newRun = (tokens: number, verdicts: readonly ('passed' | 'failed')[], more: object = {}): RunPayload => {
  const attempts = verdicts.map((verdict, at) => ({ n: at + 1, verdict, score: verdict === 'passed' ? 85 : 60 }))
  const task = { id: 't', title: 't', chore: false, state: verdicts.at(-1) === 'passed' ? 'done' : 'failed', attempts }
  const row = { standing: 'completed', progress: '', spend: { tokens, costUsd: 0 } }
  const unit = { one: 'story', many: 'stories' }
  return { row: { ...row, ...more }, timeline: { tasks: [task], unit } } as unknown as RunPayload
}

test('ticks the side where less or more is plainly better, and nothing that nobody told', () => {
  const { rows } = compareRuns(newRun(500, ['failed', 'passed']), newRun(0, ['passed']))
  const find = (name: string) => rows.find((row) => row.name === name)
  expect(find('attempts')).toEqual({ name: 'attempts', a: '2', b: '1', better: 'b' })
  expect(find('rejected attempts')?.better).toBe('b')
  expect(find('best score')?.better).toBeNull()
  expect(find('tokens')).toEqual({ name: 'tokens', a: '500', b: 'not told', better: null })
  expect(find('cost')).toBeUndefined()
})

const spend = (costUsd: number, activeMs: number) => ({ spend: { tokens: 0, costUsd, activeMs } })

test.each([
  ['Both completed, with 1 story done.', newRun(0, ['passed']), newRun(0, ['passed'])],
  [
    'Both completed, with 1 story done; A cost $0.40 less and took 50.0s more.',
    newRun(0, ['passed'], spend(0.6, 60_000)),
    newRun(0, ['passed'], spend(1, 10_000)),
  ],
  [
    'Both completed, with 1 story done.',
    newRun(0, ['passed'], spend(0.99, 60_000)),
    newRun(0, ['passed'], spend(1, 61_000)),
  ],
  ['B did 1 story more than A.', newRun(0, ['failed']), newRun(0, ['failed', 'passed'])],
  ['A failed, B completed.', newRun(0, ['failed'], { standing: 'failed' }), newRun(0, ['passed'])],
])('says: %s', (says, a, b) => {
  expect(compareRuns(a, b).says).toBe(says)
})

test('names the first task that went otherwise, and the attempts that show it', () => {
  expect(compareRuns(newRun(0, ['passed']), newRun(0, ['passed'])).parts).toBeNull()
  expect(compareRuns(newRun(0, ['failed', 'passed']), newRun(0, ['passed'])).parts).toEqual({
    task: 't',
    says: 'A: done after 2 attempts, 1 rejected. B: done after one attempt.',
    a: 1,
    b: 1,
  })
  expect(compareRuns(newRun(0, ['failed']), newRun(0, ['failed', 'passed'])).parts).toMatchObject({ a: 1, b: 2 })
})
