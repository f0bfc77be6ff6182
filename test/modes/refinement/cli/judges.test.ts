import { describe, expect, test } from 'vitest'
import type { ServedAnswer } from '../../../support/model-server.ts'
import { type Preset, play } from './hostile-play.ts'
import { judgement } from './stage.ts'

/** Judges that do not answer as they were asked to: none of them ever lets a text pass. */

const scores = (value: unknown): string =>
  JSON.stringify({ scores: { relevance: value, accuracy: value, completeness: value } })

const unreadable: Readonly<Record<string, ServedAnswer>> = {
  '"85%"': { text: '"85%"' },
  '85': { text: '85' },
  'a score of "85%"': { text: scores('85%') },
  'a score of 105': { text: scores(105) },
  'a score of -3': { text: scores(-3) },
  'a score of NaN': { text: '{"scores":{"relevance":NaN,"accuracy":NaN,"completeness":NaN}}' },
  'a score of null': { text: scores(null) },
  'great!': { text: 'great! Ship it.' },
  nothing: { text: '' },
  'a refusal': { text: 'I cannot', ending: 'refusal' },
  'two verdicts': { text: `${judgement(40)}\n${judgement(95)}` },
  'its thinking and then a verdict': { text: `<think>${judgement(95)}</think>${judgement(40)}` },
  'a verdict that is cut off': { text: judgement(95).slice(0, -20), ending: 'length' },
  'a dimension less': { text: '{"scores":{"relevance":95,"accuracy":95}}' },
  'a verdict of its own': { text: '{"verdict":"pass","score":95}' },
  'another language': { text: '{"Bewertung":{"Relevanz":95,"Genauigkeit":95,"Vollständigkeit":95}}' },
}

describe.each(Object.entries(unreadable))('a judge that says %s', (_, said) => {
  test('is asked once more, then another one is; nobody passes', async () => {
    const { refined, calls, log } = await play((spot) => (spot === 'judging' ? said : undefined), {
      preset: 'sap-0020',
    })
    expect(refined).toMatchObject({
      status: 'aborted',
      reason: 'judge_unavailable',
      score: null,
      partial_output: 'text 1',
    })
    // Two questions to each of three judges.
    expect(calls.judging).toBe(6)
    expect(calls.writing).toBe(1)
    expect(log.filter(({ event }) => event === 'score')).toEqual([])
  })
})

test('a judge whose server rejects the schema is reported with what to do', async () => {
  const says = "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model."
  const { refined } = await play((spot) => (spot === 'judging' ? { fault: 'bad-request', says } : undefined), {
    preset: 'sap-0020',
  })
  expect(refined).toMatchObject({ status: 'aborted', reason: 'judge_unavailable' })
  expect(refined.problem).toMatch(/HTTP 400: .*\. Set json_schema: false for claude in ladder of your config\.yml\.$/)
})

test('what stands around a verdict does not matter, nor in which order its parts come', async () => {
  const verdictFirst = `{"scores":{"relevance":90,"accuracy":90,"completeness":90},"confidence":1,"evidence":[],"findings":[]}`
  for (const text of [
    `Here is what I think:\n\`\`\`json\n${judgement(90)}\n\`\`\`\nHope it helps {really}!`,
    verdictFirst,
  ]) {
    const { refined } = await play((spot) => (spot === 'judging' ? { text } : undefined), { preset: 'sap-0020' })
    expect(refined).toMatchObject({ status: 'completed', score: 90 })
  }
})

test('the scale of another preset is never taken for a pass', async () => {
  const fives = await play((spot) => (spot === 'judging' ? { text: judgement(5) } : undefined), { preset: 'sap-0010' })
  expect(fives.refined).toMatchObject({ status: 'aborted', reason: 'escalations_exhausted', score: 5 })
  const percents = await play((spot) => (spot === 'judging' ? { text: judgement(90) } : undefined), {
    preset: 'standard',
  })
  expect(percents.refined).toMatchObject({ status: 'aborted', reason: 'judge_unavailable', score: null })
})

describe('under the rule of intervals a judge that cannot tell good from bad is no judge', () => {
  const alike = (...levels: number[]) => {
    let turn = 0
    return (spot: string): ServedAnswer | undefined =>
      spot === 'judging' || spot === 'calibrating' ? { text: judgement(levels[turn++ % levels.length]!) } : undefined
  }

  test.each([
    ['always 100', [5]],
    ['always 0', [0]],
    ['always 80', [4]],
    ['60 and 100 in turn', [3, 5]],
    ['0 and 100 in turn', [0, 5]],
  ])('one that gives %s', async (_, levels) => {
    const { refined, calls } = await play(alike(...levels), { preset: 'standard' })
    expect(refined).toMatchObject({
      status: 'aborted',
      reason: 'judge_unavailable',
      score: null,
      partial_output: 'text 1',
    })
    // Each of the three was measured once by twelve texts, and not asked about this one.
    expect(calls).toMatchObject({ calibrating: 36, judging: 0, writing: 1 })
  })

  test('the next judge takes over from it', async () => {
    const { refined } = await play(
      (spot, number) => (spot === 'calibrating' && number <= 12 ? { text: judgement(5) } : undefined),
      { preset: 'standard' },
    )
    expect(refined).toMatchObject({ status: 'completed', reason: 'threshold_met' })
  })
})

test('a judge that gives 60 and 95 in turn decides by what it gives, and passes nothing by an average', async () => {
  const turns = async (preset: Preset) => {
    let turn = 0
    const given = (): number => (turn++ % 2 ? 95 : 60)
    return play((spot) => (spot === 'judging' ? { text: judgement(given()) } : undefined), { preset })
  }
  const { refined } = await turns('sap-0020')
  expect(refined.iterations.map(({ score }) => score)).toEqual([60, 95, 60])
  expect(refined).toMatchObject({ status: 'aborted', reason: 'escalations_exhausted', fallback: 'single-shot' })
})

test('a measuring that failed in one run is made again by the next in the same process', async () => {
  const mute = await play((spot) => (spot === 'calibrating' ? { text: 'no' } : undefined), { preset: 'standard' })
  expect(mute.calls.calibrating).toBe(12)
  const next = await play(() => undefined, { preset: 'standard' })
  expect(next.calls.calibrating).toBe(12)
})
