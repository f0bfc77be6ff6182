import type { Calibration } from '../../src/judging/scoring/score-data.ts'
import { scoreText } from '../../src/judging/scoring/score-text.ts'
import { chanceOf } from './chance.ts'
import { measured, type NoisyJudge, noisyJudge } from './judge.ts'
import type { Rule } from './rules.ts'

/** The gap between a judge that is 10 points too mild and one that is 15 too harsh, for the same texts. */
export type Gap = {
  readonly sigma: number
  readonly rule: string
  /** On average, before and after calibration. */
  readonly raw: number
  readonly read: number
  /** For a single text, absolute. */
  readonly apart: number
  /** The absolute error of a single score. */
  readonly off: number
}

const biases = [10, -15] as const
/** Outside this range the mild or the harsh judge reaches the end of its scale. */
const worths = Array.from({ length: 15 }, (_, index) => 30 + 4 * index)

export async function gapOf(rule: Rule, options: { seed: number; pairs: number; sigma: number }): Promise<Gap> {
  const { seed, pairs, sigma } = options
  const chance = chanceOf(seed)
  const found: { raw: number; read: number; off: number }[] = []
  for (let pair = 0; pair < pairs; pair++) {
    const judges = await Promise.all(
      biases.map(async (bias, index) => {
        const judge = noisyJudge(chance, 2 * pair + index, { sigma, bias, steps: rule.steps, rubric: rule.rubric })
        return { judge, calibration: await measured(judge, rule) }
      }),
    )
    for (const [text, worth] of worths.entries()) {
      const [mild, harsh] = await Promise.all(judges.map((one) => scoreBy(one, { text, worth }, rule)))
      const off = (Math.abs(mild!.score - worth) + Math.abs(harsh!.score - worth)) / 2
      found.push({ raw: mild!.raw - harsh!.raw, read: mild!.score - harsh!.score, off })
    }
  }
  const mean = (of: (one: (typeof found)[number]) => number): number =>
    found.reduce((sum, one) => sum + of(one), 0) / found.length
  return {
    sigma,
    rule: rule.name,
    raw: mean(({ raw }) => raw),
    read: mean(({ read }) => read),
    apart: mean(({ read }) => Math.abs(read)),
    off: mean(({ off }) => off),
  }
}

async function scoreBy(
  { judge, calibration }: { judge: NoisyJudge; calibration: Calibration | null },
  { text, worth }: { text: number; worth: number },
  { rules, rubric }: Rule,
): Promise<{ raw: number; score: number }> {
  const scored = await scoreText({
    rubric: { ...rubric, anchors: [] },
    rules,
    brief: { task: 'Write it.' },
    phase: { title: 'Phase', number: 1, of: 1 },
    iteration: 1,
    text: `Text ${text}.`,
    issues: [],
    calibration,
    judge: { via: 'judge', model: 'noisy' },
    selfJudged: false,
    ask: judge.about(
      text,
      rubric.dimensions.map(() => worth),
    ),
  })
  if (scored.status !== 'scored') throw new Error(`no score: ${scored.detail}`)
  return scored
}
