import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Rubric } from '../../../src/contract/rubric.ts'
import type { AskJudge } from '../../../src/judging/scoring/score-data.ts'
import { scoreText } from '../../../src/judging/scoring/score-text.ts'
import {
  finerRules,
  general,
  intervalRules,
  judgeSaying,
  optionsWith,
  pointRules,
  scoredOf,
  verdict,
} from './judges.ts'

const score = async (replies: readonly string[], more: Partial<Parameters<typeof optionsWith>[0]> = {}) => {
  const { ask, calls } = judgeSaying(...replies)
  const result = await scoreText(optionsWith({ ...more, ask }))
  return { result, keys: calls.map(({ key }) => key), calls }
}
const sigma = (value: number) => ({ id: 'c', intercept: 0, slope: 1, sigma: value, anchors: 12 })

describe('the point rule: the score as it is, asked once', () => {
  test.each([
    [80, 'pass'],
    [100, 'pass'],
    [79.99, 'retry'],
    [75, 'retry'],
    [70, 'retry'],
    [69.99, 'escalate'],
    [0, 'escalate'],
  ])('%d is %s', async (value, band) => {
    const { result, keys } = await score([verdict(value)], { rules: pointRules })
    expect(result).toMatchObject({ status: 'scored', score: value, raw: value, band, samples: 1 })
    expect(keys).toEqual(['judge-1'])
  })

  test('an open major issue does not hold a pass back', async () => {
    const findings = [{ quote: 'Boil water.', problem: 'How much water?', severity: 'major' }]
    const { result } = await score([verdict(85, { findings })], { rules: pointRules })
    expect(result).toMatchObject({ band: 'pass', issues: [{ id: 'I1', state: 'open', severity: 'major' }] })
  })
})

describe('the interval rule: asked again only while it matters', () => {
  test.each([
    ['far above: once', [95], 'pass', 1],
    ['far below: once', [50], 'escalate', 1],
    ['near 80: two that agree pass', [84, 82], 'pass', 2],
    ['just 80 twice leads by nothing, and the median of a third could not', [80, 80, 100], 'retry', 2],
    ['the lead of two is too small: a third gives it', [85, 80, 83], 'pass', 3],
    ['near 70: two that agree escalate', [66, 64], 'escalate', 2],
    ['one for and one against: a third, and two of three pass', [84, 76, 83], 'pass', 3],
    ['two of three below 80 do not', [84, 76, 77], 'retry', 3],
    ['in between twice: a third could settle nothing', [75, 76], 'retry', 2],
    ['above and far below: the third says', [84, 60, 66], 'escalate', 3],
    ['all three disagree', [84, 75, 66], 'retry', 3],
  ])('%s', async (_, values, band, samples) => {
    const { result } = await score(values.map((value) => verdict(value)))
    expect(result).toMatchObject({ status: 'scored', band, samples })
  })

  test('a judge that is known to be exact is asked once where an uncalibrated one is not believed', async () => {
    expect((await score([verdict(84)], { calibration: sigma(2) })).result).toMatchObject({ band: 'pass', samples: 1 })
    expect((await score([verdict(75)], { calibration: sigma(2) })).result).toMatchObject({ band: 'retry', samples: 1 })
  })

  test('as many samples as the rules allow', async () => {
    const { result, keys } = await score([verdict(84)], { rules: { ...finerRules, samples: 1 } })
    expect(result).toMatchObject({ band: 'retry', samples: 1 })
    expect(keys).toEqual(['judge-1'])
  })

  test('the median of each dimension counts, so one that is out of line does not', async () => {
    const { result } = await score([verdict(84), verdict(0), verdict(86)])
    expect(result).toMatchObject({ score: 84, raw: 84, dimensions: { relevance: 84, accuracy: 84, completeness: 84 } })
  })

  test('an open major issue holds a pass back, a minor or late one does not', async () => {
    const found = (severity: string) => verdict(95, { findings: [{ quote: '', problem: 'No amounts.', severity }] })
    expect((await score([found('major')])).result).toMatchObject({ band: 'retry', vetoes: [] })
    expect((await score([found('minor')])).result).toMatchObject({ band: 'pass' })
    const late = await score([found('major')], { iteration: 3, base: 'Boil water.' })
    expect(late.result).toMatchObject({ band: 'pass', issues: [{ late: true }] })
  })

  test('on levels: all 5 pass at once, all 4 not even twice, half a level more with a second opinion', async () => {
    expect((await score([verdict(5)], { rules: intervalRules })).result).toMatchObject({
      score: 100,
      band: 'pass',
      samples: 1,
    })
    expect((await score([verdict(4)], { rules: intervalRules })).result).toMatchObject({
      score: 80,
      band: 'retry',
      samples: 2,
    })
    const half = '{"scores":{"relevance":4,"accuracy":4.5,"completeness":4}}'
    expect((await score([half], { rules: intervalRules })).result).toMatchObject({
      score: 83.5,
      band: 'pass',
      samples: 2,
    })
  })
})

describe('a pass that is not one', () => {
  test('a dimension below its floor, however good the rest is', async () => {
    const reply = '{"scores":{"relevance":100,"accuracy":50,"completeness":100}}'
    const { result } = await score([reply], { rules: pointRules })
    expect(result).toMatchObject({ score: 82.5, band: 'retry', vetoes: ['accuracy 50 < 60'] })
  })

  test('on levels a calibration of a hair does not make a 3 a 2.5, and a 2.5 is none the better for it', async () => {
    const reply = '{"scores":{"relevance":5,"accuracy":3,"completeness":5}}'
    const calibration = { ...sigma(2), intercept: -1 }
    expect((await score([reply], { rules: intervalRules, calibration })).result).toMatchObject({ vetoes: [] })
    const lower = { ...sigma(2), intercept: -15 }
    const result = scoredOf((await score([reply], { rules: intervalRules, calibration: lower })).result)
    expect(result.vetoes).toEqual(['accuracy 50 < 60'])
    const low = '{"scores":{"relevance":5,"accuracy":2.5,"completeness":5}}'
    expect((await score([low], { rules: intervalRules, calibration: sigma(2) })).result).toMatchObject({
      vetoes: ['accuracy 50 < 60'],
    })
  })

  test('a check of code', async () => {
    const rubric = Rubric.parse({ ...general, checks: { mostWords: 5 } })
    const { result } = await score([verdict(95)], { rubric })
    expect(result).toMatchObject({ band: 'retry', vetoes: ['words 10 > 5'] })
  })

  test('a veto makes nothing better', async () => {
    const rubric = Rubric.parse({ ...general, checks: { mostWords: 5 } })
    expect((await score([verdict(20)], { rubric })).result).toMatchObject({ band: 'escalate' })
  })
})

describe('how sure it is', () => {
  test.each([
    ['at the boundary', 80, {}, 0.5],
    ['one standard error above', 88, {}, 0.84],
    ['one below the lower boundary', 62, {}, 0.84],
    ['between the two', 75, {}, 0.47],
    ['by one that judges itself: wider and less', 90, { selfJudged: true }, 0.74],
  ])('%s', async (_, value, more, confidence) => {
    const { result } = await score([verdict(value)], { rules: pointRules, ...more })
    expect(scoredOf(result).confidence).toBeCloseTo(confidence, 2)
  })

  test('each quote that was made up costs a tenth, at most three', async () => {
    const made = (count: number) =>
      verdict(96, { evidence: Array.from({ length: count }, () => ({ quote: 'Add milk.' })) })
    const sure = scoredOf((await score([made(0)], { rules: pointRules })).result).confidence
    for (const [count, less] of [
      [1, 0.1],
      [2, 0.2],
      [3, 0.3],
      [9, 0.3],
    ] as const) {
      const result = scoredOf((await score([made(count)], { rules: pointRules })).result)
      expect(result.unverified).toBe(count)
      expect(result.confidence).toBeCloseTo(sure - less, 5)
    }
  })

  test('judgements that differ widen the spread', async () => {
    expect(scoredOf((await score([verdict(95)])).result).spread).toBe(8)
    expect(scoredOf((await score([verdict(84), verdict(76), verdict(80)])).result).spread).toBeGreaterThan(8)
    expect(scoredOf((await score([verdict(96)], { selfJudged: true })).result).spread).toBe(10)
  })
})

describe('a reply that cannot be read', () => {
  test('is asked for once more, saying what was wrong', async () => {
    const { result, keys, calls } = await score(['85%', verdict(95)])
    expect(result).toMatchObject({ status: 'scored', score: 95, samples: 1 })
    expect(keys).toEqual(['judge-1', 'judge-1-again'])
    expect(calls[1]!.question.prompt).toContain('could not be used: there is no JSON object with "scores"')
  })

  test('twice: no score', async () => {
    const { result, keys } = await score(['85%'])
    expect(result).toMatchObject({ status: 'unavailable', why: 'unreadable' })
    expect(keys).toEqual(['judge-1', 'judge-1-again'])
  })

  test('later on: what was read before stands, and does not pass by it', async () => {
    const { result, keys } = await score([verdict(84), '85%'])
    expect(result).toMatchObject({ status: 'scored', score: 84, band: 'retry', samples: 1 })
    expect(keys).toEqual(['judge-1', 'judge-2', 'judge-2-again'])
  })

  test.each(['down', 'budget'] as const)('a judge that is not there is no score: %s', async (status) => {
    const ask: AskJudge = async () => ({ status, detail: 'why' })
    expect(await scoreText(optionsWith({ ask }))).toEqual({ status: 'unavailable', why: status, detail: 'why' })
  })
})

describe('properties', () => {
  const value = fc.integer({ min: 0, max: 100 })
  const sample = fc.record({ relevance: value, accuracy: value, completeness: value })
  const bands = ['escalate', 'retry', 'pass']
  const scoredBy = async (samples: readonly object[], more = {}) =>
    scoredOf(
      (
        await score(
          samples.map((scores) => JSON.stringify({ scores })),
          more,
        )
      ).result,
    )

  test('the score is within 0 and 100 and the confidence within 0 and 1, whatever the calibration', async () => {
    const calibration = fc.record({
      id: fc.constant('c'),
      intercept: fc.double({ min: -100, max: 100, noNaN: true }),
      slope: fc.double({ min: 0.5, max: 1.5, noNaN: true }),
      sigma: fc.double({ min: 2, max: 20, noNaN: true }),
      anchors: fc.constant(12),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(sample, { minLength: 3, maxLength: 3 }), calibration, async (samples, read) => {
        const result = await scoredBy(samples, { calibration: read })
        for (const number of [result.score, result.raw, ...Object.values(result.dimensions)]) {
          expect(number).toBeGreaterThanOrEqual(0)
          expect(number).toBeLessThanOrEqual(100)
        }
        expect(result.confidence).toBeGreaterThanOrEqual(0)
        expect(result.confidence).toBeLessThanOrEqual(1)
      }),
    )
  })

  test.each([pointRules, finerRules])('better judgements never make it worse ($decidesBy)', async (rules) => {
    const three = fc.array(sample, { minLength: 3, maxLength: 3 })
    const gain = fc.integer({ min: 0, max: 40 })
    await fc.assert(
      fc.asyncProperty(three, gain, async (samples, more) => {
        const better = samples.map((scores) =>
          Object.fromEntries(Object.entries(scores).map(([id, held]) => [id, Math.min(100, held + more)])),
        )
        const same = { ...rules, samples: 1 }
        const [before, after] = [await scoredBy(samples, { rules: same }), await scoredBy(better, { rules: same })]
        expect(after.score).toBeGreaterThanOrEqual(before.score)
        expect(bands.indexOf(after.band)).toBeGreaterThanOrEqual(bands.indexOf(before.band))
      }),
    )
  })

  test('what cannot be read never passes and is never a zero', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (one, other) => {
        const { result } = await score([one, other], { rules: pointRules })
        expect(result).toMatchObject({ status: 'unavailable', why: 'unreadable' })
      }),
    )
  })
})
