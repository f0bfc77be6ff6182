import { expect, test } from 'vitest'
import { tortureRefinement } from './refinement.ts'

test('20 kills with -9 of refinements: no recorded call is made again, no note is lost, the text is handed over once', async () => {
  const { kills, problems } = await tortureRefinement(20, 20261115)
  expect(problems).toEqual([])
  expect(kills).toBeGreaterThanOrEqual(20)
}, 180_000)
