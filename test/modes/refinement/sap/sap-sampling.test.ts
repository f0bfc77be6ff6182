import { expect, test } from 'vitest'
import type { SapKind, SapLine } from '../../../../src/modes/refinement/sap/sap-line.ts'
import { followRun } from '../../../../src/modes/refinement/sap/sap-log.ts'
import { isWritten, thinOut } from '../../../../src/modes/refinement/sap/sap-sampling.ts'
import { about, longRun } from './a-run.ts'

const linesOf = (count: number): SapLine[] =>
  longRun(count)
    .map(followRun(about))
    .filter((line) => line !== undefined)

test.each([
  [50, 50],
  [100, 100],
  [101, 100],
  [105, 101],
  [500, 180],
])('of %i lines %i are written', (count, written) => {
  expect(linesOf(count).filter(isWritten)).toHaveLength(written)
})

const kinds: readonly [SapKind, string, boolean][] = [
  ['start', 'started', true],
  ['score', 'pass', true],
  ['score', 'retry', false],
  ['escalation', 'to x', true],
  ['pause', 'paused', true],
  ['resume', 'answered', true],
  ['error', 'provider', true],
  ['abort', 'cancelled', true],
  ['completion', 'threshold_met', true],
  ['phases', 'ok', false],
  ['generate', 'ok', false],
  ['retry', 'at once', false],
  ['failover', 'to x', false],
  ['wait', 'limit', false],
  ['feedback', 'pause', false],
  ['single-shot', 'ok', false],
  ['calibration', 'ok', false],
]
test.each(kinds)('line 103 is a %s (%s): kept %s, at once and when its day is over', (event, outcome, kept) => {
  const line = { line: 103, event, outcome, run_id: 'r', uuid: 'u', seq: 103 }
  expect(isWritten(line)).toBe(kept)
  expect(thinOut([JSON.stringify(line)])).toHaveLength(kept ? 1 : 0)
})

test('a run with more than a hundred lines keeps its first 20 and every fifth; a shorter one and lines of others stay', () => {
  const long = linesOf(104).filter(isWritten)
  const longer = [...long, { ...long[0]!, line: 105, event: 'generate' as const }]
  const short = linesOf(100).map((line) => ({ ...line, run_id: 'short' }))
  const others = ['not json', '{"run_id":7}', '{"event":"of another program"}', 'null']
  const texts = [...others, ...longer, ...short].map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  const kept = thinOut(texts)
  expect(kept).toHaveLength(others.length + 20 + 17 + 100)
  expect(thinOut(kept)).toEqual(kept)
  expect(thinOut(short.map((line) => JSON.stringify(line)))).toHaveLength(100)
})
