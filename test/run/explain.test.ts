import { expect, test } from 'vitest'
import type { UnderWay } from '../../src/contract/show.ts'
import { emptyState, type LoopState, reduce } from '../../src/kernel/state.ts'
import { createExplainer } from '../../src/run/reports/explain.ts'
import { ended, eventsOf, gateFailed, iteration, passed, type Written } from '../support/written-events.ts'

const started = { type: 'run-started', journal: 2, policy: 'procedure', version: 1, caps: {}, pins: {} } as const

function explain(facts: readonly Written[], isRunning: boolean) {
  const explainer = createExplainer()
  let state: LoopState = emptyState
  for (const event of eventsOf(facts)) {
    explainer.see(event)
    state = reduce(state, event)
  }
  return explainer.explain(state, isRunning)
}

test('what is under way is told from the moment when it began', () => {
  const [first, ...rest] = iteration(1, passed(1))
  const at = (facts: readonly Written[]): UnderWay | null => explain([started, ...facts], true).underWay
  const began = Date.parse('2026-02-14T22:00:00Z')
  const iteration1 = { task: 'iteration-1', attempt: 1 }
  expect(at([first!])).toBeNull()
  expect(at([first!, ...rest.slice(0, 1)])).toEqual({ doing: 'attempt', ...iteration1, since: began })
  expect(at([first!, ...rest.slice(0, 3)])).toEqual({ doing: 'evaluate', ...iteration1, since: began + 120_000 })
  expect(at([first!, ...rest.slice(0, 4)])).toBeNull()
})

test('a run that was reopened after a failure tells how it stands now', () => {
  const maximum = { code: 'max_iterations', iterations: 1 }
  const facts = [
    started,
    ...iteration(1, gateFailed(0, 1)),
    ...ended('failed', maximum, 'tasks'),
    { type: 'run-reopened', by: 'ann' } as Written,
    ...iteration(2, passed(1)),
    ...ended('completed', maximum, 'tasks'),
  ]
  expect(explain(facts, false).rule).toMatchObject({ by: 'tasks', decision: 'stop', reason: maximum })
})
