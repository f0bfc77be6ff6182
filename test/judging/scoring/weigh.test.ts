import fc from 'fast-check'
import { expect, test } from 'vitest'
import { updateIssues } from '../../../src/judging/scoring/issues.ts'
import { chooseBand } from '../../../src/judging/scoring/score-text.ts'
import { weighScores } from '../../../src/judging/scoring/weigh.ts'
import { finerRules, general } from './judges.ts'

const value = fc.integer({ min: 0, max: 100 })
const sample = fc.record({ relevance: value, accuracy: value, completeness: value })
const shuffled = <T>(items: fc.Arbitrary<T>) =>
  fc
    .array(items, { minLength: 1, maxLength: 5 })
    .chain((list) => fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })))

const sorted = (values: readonly number[]) => values.toSorted((one, other) => one - other)
const read = { rubric: general, calibration: null, selfJudged: false }

test('the order of judgements does not change the score', () => {
  fc.assert(
    fc.property(shuffled(sample), ([samples, other]) => {
      const [one, two] = [weighScores(samples, read), weighScores(other, read)]
      expect({ ...two, each: sorted(two.each) }).toEqual({ ...one, each: sorted(one.each) })
      expect(chooseBand(two, finerRules)).toBe(chooseBand(one, finerRules))
    }),
  )
})

test('the order of judgements does not change the issues', () => {
  const finding = fc.record({
    quote: fc.constantFrom('', 'tea', 'hot water', 'cups'),
    problem: fc.constantFrom(
      'too hot for green tea',
      'too hot for some tea',
      'no cups at all',
      'which cups',
      'no sugar',
    ),
    severity: fc.constantFrom('major' as const, 'minor' as const),
  })
  const answers = fc.dictionary(
    fc.constantFrom('I1', 'I2'),
    fc.constantFrom('fixed' as const, 'open' as const, 'regressed' as const),
  )
  const reading = fc.record({ findings: fc.array(finding, { maxLength: 4 }), answers })
  const about = { state: 'open', severity: 'major', reopened: 0, quote: '', raisedIn: 1 } as const
  const known = [
    { ...about, id: 'I1', problem: 'nothing about milk' },
    { ...about, id: 'I2', problem: 'the end is abrupt', state: 'fixed' as const },
  ]
  fc.assert(
    fc.property(shuffled(reading), ([readings, other]) => {
      const found = { known, iteration: 1, text: 'hot water and tea in cups' }
      expect(updateIssues({ ...found, readings: other })).toEqual(updateIssues({ ...found, readings }))
    }),
  )
})

test('two judgements that agree count for nothing against the score itself', () => {
  expect(chooseBand({ score: 79, spread: 8, each: [81, 81, 60] }, finerRules)).toBe('retry')
  expect(chooseBand({ score: 71, spread: 8, each: [69, 69, 90] }, finerRules)).toBe('retry')
})

test.each([
  ['just 80', 80, 8, 'retry'],
  ['by less than a third of the spread', 82.6, 8, 'retry'],
  ['by a third', 82.7, 8, 'pass'],
  ['of a judge that is surer', 81, 3, 'pass'],
])('two that agree pass by the lead of their score: %s', (_, score, spread, band) => {
  expect(chooseBand({ score, spread, each: [score, score] }, finerRules)).toBe(band)
})

test('weights that do not add up to 1 are normalized', () => {
  const tenfold = { ...general, dimensions: general.dimensions.map((one) => ({ ...one, weight: one.weight * 10 })) }
  const scores = { relevance: 90, accuracy: 60, completeness: 80 }
  expect(weighScores([scores], { ...read, rubric: tenfold })).toEqual(weighScores([scores], read))
  expect(weighScores([scores], read).score).toBe(76)
})

test('the shipped weights give exact whole numbers', () => {
  for (let whole = 0; whole <= 100; whole++) {
    expect(weighScores([{ relevance: whole, accuracy: whole, completeness: whole }], read).score).toBe(whole)
  }
})
