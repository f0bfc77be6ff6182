import { expect, test } from 'vitest'
import type { RunPayload } from '../../src/contract/web.ts'
import { compareRuns } from '../../src/show/compare.ts'

const newRun = (tokens: number, verdicts: readonly ('passed' | 'failed')[]): RunPayload => {
  const attempts = verdicts.map((verdict, at) => ({ n: at + 1, verdict, score: verdict === 'passed' ? 85 : 60 }))
  const task = { id: 't', title: 't', chore: false, state: verdicts.at(-1) === 'passed' ? 'done' : 'failed', attempts }
  const row = { standing: 'completed', progress: '', spend: { tokens, costUsd: 0 } }
  return { row, timeline: { tasks: [task] }, bounds: [], json: {} } as unknown as RunPayload
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
