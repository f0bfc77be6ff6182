import { describe, expect, test } from 'vitest'
import { Rubric } from '../../../src/contract/rubric.ts'
import { calibrate } from '../../../src/judging/scoring/calibrate.ts'
import { evaluatorId } from '../../../src/judging/scoring/evaluator-id.ts'
import { findRubric, rubricNames } from '../../../src/judging/scoring/rubrics/named.ts'
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

const judge = { via: 'local', model: 'llama' }
const within = (value: number): number => Math.min(100, Math.max(0, value))
/** Gives each anchor its worth, seen through `sees`; any other text is worth `worth`. */
const judgeSeeing =
  (sees: (worth: number) => number, worth = 0): AskJudge =>
  async ({ prompt }) => {
    const anchor = general.anchors.find(({ text }) => prompt.includes(text))
    return { status: 'ok', text: verdict(within(sees(anchor?.score ?? worth))) }
  }
const measured = (ask: AskJudge, rules = finerRules) => calibrate({ rubric: general, rules, judge, ask })

describe('a judge is measured on texts of known quality', () => {
  test('each is asked about once, as in real judging', async () => {
    const { ask, calls } = judgeSaying(verdict(50))
    await calibrate({ rubric: general, rules: pointRules, judge, ask })
    expect(calls.map(({ key, role }) => `${role} ${key}`)).toEqual(
      Array.from({ length: 12 }, (_, at) => `calibrate calibrate-${at + 1}`),
    )
    expect(calls[3]!.question.prompt).toContain(general.anchors[3]!.text)
  })

  test('an exact judge is not corrected', async () => {
    const { calibration } = await measured(judgeSeeing((worth) => worth))
    expect(calibration).toMatchObject({ intercept: 0, slope: 1, sigma: 2, anchors: 12 })
  })

  test.each([10, -15, 4, -30])(
    'one that is off by %d everywhere is brought within 3 points of the truth',
    async (bias) => {
      const { calibration } = await measured(judgeSeeing((worth) => worth + bias))
      for (let worth = 35; worth <= 85; worth += 5) {
        const ask = judgeSeeing((value) => value + bias, worth)
        const { score, raw } = scoredOf(await scoreText(optionsWith({ ask, calibration })))
        expect(raw).toBe(worth + bias)
        expect(Math.abs(score - worth)).toBeLessThanOrEqual(3)
      }
    },
  )

  test.each([pointRules, finerRules])(
    'two that are off by +10 and -15 end within 3 points of each other ($preset)',
    async (rules) => {
      for (let worth = 20; worth <= 88; worth += 4) {
        const scores = []
        for (const bias of [10, -15]) {
          const ask = judgeSeeing((value) => value + bias, worth)
          const { calibration } = await measured(ask, rules)
          scores.push(scoredOf(await scoreText(optionsWith({ ask, calibration, rules }))).score)
        }
        expect(Math.abs(scores[0]! - scores[1]!)).toBeLessThanOrEqual(3)
      }
    },
  )

  test('on six levels they end within 3 points too', async () => {
    const levels =
      (bias: number): AskJudge =>
      async ({ prompt }) => {
        const worth = general.anchors.find(({ text }) => prompt.includes(text))?.score ?? 70
        return { status: 'ok', text: levelsFor(within(worth + bias)) }
      }
    const scores = []
    for (const bias of [10, -15]) {
      const { calibration } = await measured(levels(bias), intervalRules)
      scores.push(
        scoredOf(await scoreText(optionsWith({ ask: levels(bias), calibration, rules: intervalRules }))).score,
      )
    }
    expect(Math.abs(scores[0]! - scores[1]!)).toBeLessThanOrEqual(3)
  })

  test('in half levels they end within 3 points on average, over texts of any worth', async () => {
    const halves = (sees: number): number => Math.round(within(sees) / 10) / 2
    const worths = Array.from({ length: 15 }, (_, at) => 30 + 4 * at)
    const scoresWith = async (bias: number): Promise<number[]> => {
      const { calibration } = await measured(
        judgeSeeing((worth) => halves(worth + bias)),
        intervalRules,
      )
      const scores = worths.map((worth) => {
        const ask = judgeSeeing((value) => halves(value + bias), worth)
        return scoreText(optionsWith({ ask, calibration, rules: intervalRules }))
      })
      return (await Promise.all(scores)).map((one) => scoredOf(one).score)
    }
    const [mild, harsh] = [await scoresWith(10), await scoresWith(-15)]
    const apart = mild.reduce((sum, score, at) => sum + score - harsh[at]!, 0) / worths.length
    expect(Math.abs(apart)).toBeLessThanOrEqual(3)
  })

  test('the slope of a few texts is shrunk and limited to 0.5 to 1.5', async () => {
    const flat = await measured(judgeSeeing((worth) => 40 + worth / 5))
    expect(flat.calibration!.slope).toBe(1.5)
    const steep = await measured(judgeSeeing((worth) => 50 + 1.25 * (worth - 50)))
    expect(steep.calibration!.slope).toBeGreaterThan(0.8)
    expect(steep.calibration!.slope).toBeLessThan(1)
  })

  test('how far off it is says how much it is believed', async () => {
    let turn = 0
    const { calibration } = await measured(judgeSeeing((worth) => worth + (turn++ % 2 ? 8 : -8)))
    expect(calibration!.sigma).toBeGreaterThan(6)
    expect(calibration!.sigma).toBeLessThan(12)
  })

  test('chance is not mistaken for bias', async () => {
    let turn = 0
    const { calibration } = await measured(judgeSeeing((worth) => worth + (turn++ % 2 ? 9 : -7)))
    expect(Math.abs(calibration!.intercept + calibration!.slope * 50 - 50)).toBeLessThan(0.5)
  })

  test('noise alone does not draw good texts towards the middle of the anchors', async () => {
    const chance = seeded(11)
    const narrow = {
      ...general,
      anchors: general.anchors.map((anchor) => ({ ...anchor, score: 30 + 0.4 * anchor.score })),
    }
    const reads: number[] = []
    for (let time = 0; time < 300; time++) {
      const ask = judgeSeeing((worth) => 30 + 0.4 * worth + 8 * chance())
      const { calibration } = await calibrate({ rubric: narrow, rules: finerRules, judge, ask })
      reads.push(calibration!.intercept + calibration!.slope * 85)
    }
    expect(Math.abs(reads.reduce((sum, read) => sum + read, 0) / reads.length - 85)).toBeLessThan(1)
  })

  test('a judge that cannot tell good from bad is not used', async () => {
    const none = { calibration: null, why: 'blind' }
    for (const same of [0, 50, 80, 100]) expect(await measured(judgeSeeing(() => same))).toMatchObject(none)
    expect(await measured(judgeSeeing((worth) => 100 - worth))).toMatchObject(none)
    let turn = 0
    for (const [one, other] of [
      [60, 95],
      [0, 100],
    ] as const) {
      expect(await measured(judgeSeeing(() => (turn++ % 2 ? one : other)))).toMatchObject(none)
    }
  })

  test('a judge that is sometimes far off is still used', async () => {
    let turn = 0
    const { calibration } = await measured(judgeSeeing((worth) => worth + (turn++ % 2 ? 25 : -25)))
    expect(calibration).not.toBeNull()
  })
})

describe('no calibration', () => {
  const readable = (count: number) =>
    judgeSaying(...Array.from({ length: count }, (_, at) => verdict(10 + 7 * at)), '85%')

  test('with fewer than six anchors that can be read', async () => {
    expect(await measured(readable(5).ask)).toMatchObject({ calibration: null, why: 'unreadable' })
    expect((await measured(readable(6).ask)).calibration).toMatchObject({ anchors: 6 })
  })

  test('without anchors the judge is not asked', async () => {
    const { ask, calls } = judgeSaying(verdict(50))
    const rubric = Rubric.parse({ ...general, anchors: [] })
    expect(await calibrate({ rubric, rules: finerRules, judge, ask })).toEqual({
      calibration: null,
      why: 'no-anchors',
      raws: [],
    })
    expect(calls).toEqual([])
  })

  test.each(['down', 'budget'] as const)('from a judge that goes away in between: %s', async (status) => {
    let calls = 0
    const ask: AskJudge = async () => (calls++ < 8 ? { status: 'ok', text: verdict(50) } : { status, detail: 'gone' })
    const { calibration, why, raws } = await measured(ask)
    expect({ calibration, why, calls, raws: raws.length }).toEqual({
      calibration: null,
      why: status,
      calls: 9,
      raws: 8,
    })
  })
})

describe('an evaluator', () => {
  const id = evaluatorId(general, judge, finerRules)
  test('is known by a short name, the same for the same', () => {
    expect(id).toMatch(/^[0-9a-f]{12}$/)
    expect(evaluatorId(Rubric.parse(JSON.parse(JSON.stringify(general))), { ...judge }, finerRules)).toBe(id)
    const { anchors, checks, dimensions, version } = general
    expect(evaluatorId({ anchors, checks, dimensions, version, id: general.id }, judge, finerRules)).toBe(id)
  })

  test.each([
    ['another model', evaluatorId(general, { ...judge, model: 'other' }, finerRules)],
    ['another scale', evaluatorId(general, judge, intervalRules)],
    ['another weight', evaluatorId({ ...general, dimensions: general.dimensions.slice(1) }, judge, finerRules)],
    ['another version', evaluatorId({ ...general, version: 2 }, judge, finerRules)],
  ])('%s is another one', (_, other) => expect(other).not.toBe(id))

  test('measured otherwise has another calibration', async () => {
    const ids = [await measured(judgeSeeing((worth) => worth)), await measured(judgeSeeing((worth) => worth + 10))]
    expect(ids[0]!.calibration!.id).not.toBe(ids[1]!.calibration!.id)
  })
})

describe('the shipped rubrics', () => {
  test.each(rubricNames)('%s: twelve short texts over the whole scale, six levels for each dimension', (name) => {
    const rubric = findRubric(name)!
    expect(Rubric.parse(rubric)).toEqual(rubric)
    const scores = rubric.anchors.map(({ score }) => score)
    expect(scores).toHaveLength(12)
    expect([Math.min(...scores), Math.max(...scores)]).toEqual([5, 97])
    for (const { text } of rubric.anchors) {
      const words = text.split(/\s+/).length
      expect(words).toBeGreaterThanOrEqual(60)
      expect(words).toBeLessThanOrEqual(160)
    }
    for (const { levels, floor } of rubric.dimensions) expect([levels?.length, floor]).toEqual([6, 60])
  })

  test('together they stay under 40 KB, and no other has a name', () => {
    expect(JSON.stringify(rubricNames.map(findRubric)).length).toBeLessThan(40_000)
    expect(findRubric('nobody')).toBeUndefined()
  })
})

/** Levels of the three dimensions whose weighed sum comes nearest. */
function levelsFor(worth: number): string {
  const levels = [0, 1, 2, 3, 4, 5]
  const all = levels.flatMap((one) => levels.flatMap((two) => levels.map((three) => [one, two, three] as const)))
  const off = ([one, two, three]: readonly [number, number, number]): number =>
    Math.abs(20 * (0.3 * one + 0.35 * two + 0.35 * three) - worth)
  const [relevance, accuracy, completeness] = all.toSorted((one, other) => off(one) - off(other))[0]!
  return JSON.stringify({ scores: { relevance, accuracy, completeness } })
}

/** Numbers of a bell curve around 0, near enough: the sum of twelve even ones. */
function seeded(seed: number): () => number {
  let state = seed
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return () => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6)
}
