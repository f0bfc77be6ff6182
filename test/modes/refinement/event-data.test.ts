import { expect, test } from 'vitest'
import type { LoopEvent } from '../../../src/contract/event.ts'
import { attemptData, eventData, scoreData } from '../../../src/modes/refinement/core/event-data.ts'
import { refinementReasons } from '../../../src/modes/refinement/core/reasons.ts'
import { findDataProblem } from '../../../src/run/event-data.ts'
import { play } from './play.ts'
import { eventsOf, outcome, score, type Written } from './show/refinement.ts'

const door = { data: eventData, reasons: refinementReasons }
const problem = (fact: Written): string | undefined => findDataProblem(door, eventsOf([fact])[0]!)
const verdict = (data: object | undefined): Written =>
  ({ type: 'verdict-reached', verdict: { status: 'failed', score: 75, ...(data && { data }) } }) as Written

test('every event that a run writes passes the door', async () => {
  const beats = [
    { score: 60 },
    { fault: 'limit', retryIn: 10 },
    { score: 75 },
    { score: 90, judge: { why: 'down', times: 1 } },
  ]
  const { events } = await play('standard', beats as Parameters<typeof play>[1])
  const problems = events.flatMap((event: LoopEvent) => findDataProblem(door, event) ?? [])
  expect(problems).toEqual([])
})

test('a verdict with empty data, and other data that nobody could read, does not', () => {
  expect(problem(score(75))).toBeUndefined()
  expect(problem(verdict(undefined))).toBeUndefined()
  expect(problem(verdict({}))).toBe('data: neither a score nor a reason for its absence')
  expect(problem(verdict({ why: 'tired', judge: 'ollama' }))).toMatch(/^data/)
  expect(problem(outcome({ iteration: 1 }))).toMatch(/^data/)
  expect(
    problem({
      type: 'call-ended',
      call: { key: 'k', via: 'v', status: 'ok', usage: { tokens: 1, costUsd: null }, providerMs: 1, data: {} },
    }),
  ).toMatch(/^data/)
})

test('a reason that is not in the table does not pass either', () => {
  const ended = (code: string): Written => ({ type: 'run-ended', ending: 'failed', reason: { code } })
  expect([problem(ended('plateau')), problem(ended('bored'))]).toEqual([undefined, 'unknown reason bored'])
})

test('data that is absent is no score and says nothing of an attempt', () => {
  expect(scoreData({ score: 75 })).toBeUndefined()
  expect(attemptData(undefined)).toEqual({})
})
