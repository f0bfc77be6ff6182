import { expect, test } from 'vitest'
import { emptyState, type LoopState } from '../../../../src/kernel/state.ts'
import { presets, type RefineConfig } from '../../../../src/modes/refinement/contract/config.ts'
import { firstToFire, listBounds } from '../../../../src/modes/refinement/core/bounds.ts'

const standard: RefineConfig = presets.standard
const state = (more: Partial<LoopState>): LoopState => ({ ...emptyState, ...more })

test('every bound that holds is counted, and those that do not are left out', () => {
  const caps = { attemptsPerRun: 5, tokens: 60_000, costUsd: 2, activeMs: 600_000 }
  const bounds = listBounds(state({ caps, attempts: 2, tokens: 9000, costUsd: 0.5, activeMs: 60_000 }), standard)
  expect(bounds).toEqual([
    { name: 'iterations', used: 2, of: 5 },
    { name: 'tokens', used: 9000, of: 60_000, soft: 40_000 },
    { name: 'time', used: 60_000, of: 600_000 },
    { name: 'cost', used: 0.5, of: 2 },
  ])
})

test('where judging is counted apart, what it uses goes there', () => {
  const rules: RefineConfig = presets['sap-0020']
  const used = (role: 'generate' | 'judge' | 'single-shot'): number[] =>
    listBounds(state({ tokens: 100, overheadTokens: 50 }), rules, { role, tokens: 7 }).map((bound) => bound.used)
  expect(used('generate')).toEqual([0, 107, 50])
  expect(used('single-shot')).toEqual([0, 107, 50])
  expect(used('judge')).toEqual([0, 100, 57])
  expect(listBounds(state({ tokens: 100 }), standard, { role: 'judge', tokens: 7 })[1]?.used).toBe(107)
})

test('the mark of a stronger model goes once there is none left to go to', () => {
  const soft = (rules: RefineConfig, escalations: number) => listBounds(state({ escalations }), rules)[1]?.soft
  expect([soft(standard, 0), soft(standard, 1)]).toEqual([40_000, undefined])
  // Soft and hard are one bound here: the mark would say nothing.
  expect(soft(presets['sap-0010'], 0)).toBeUndefined()
})

test('before the first iteration only counts are known; then the average tells', () => {
  const first = (more: Partial<LoopState>) => firstToFire(listBounds(state(more), standard), more.attempts ?? 0)
  expect(first({ tokens: 900 })).toEqual({ end: { name: 'iterations', iterations: 7 }, stronger: undefined })
  expect(first({ attempts: 2, tokens: 36_000 })).toEqual({
    end: { name: 'tokens', iterations: 3 },
    stronger: { name: 'tokens', iterations: 1 },
  })
  expect(first({ attempts: 6, tokens: 36_000 })).toEqual({
    end: { name: 'iterations', iterations: 1 },
    stronger: undefined,
  })
  expect(first({ attempts: 3, caps: { activeMs: 60_000 }, activeMs: 59_000 }).end).toEqual({
    name: 'time',
    iterations: 1,
  })
})
