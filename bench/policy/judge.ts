import type { Rubric } from '../../src/contract/rubric.ts'
import { calibrate } from '../../src/judging/scoring/calibrate.ts'
import type { AskJudge, Calibration } from '../../src/judging/scoring/score-data.ts'
import type { RefineConfig } from '../../src/modes/refinement/contract/config.ts'
import type { Chance } from './chance.ts'

/** The scale of a judge: full or half levels from 0 to 5, or percentages in steps of five, like models. */
export type Steps = 'levels' | 'halves' | 'fives' | 'exact'

export type NoisyJudge = {
  readonly bias: number
  /** Judges a text. `text` identifies the text; the key identifies a judgement of it. */
  readonly about: (text: number, dimensions: readonly number[]) => AskJudge
}

const [misread, mood, detail] = [1, 2, 3]

/**
 * A judge with the standard error `sigma`. Half of the variance is fixed per text, the same each time it is asked; the other
 * half is new in each judgement, in equal parts for all dimensions together and for each one separately.
 */
export function noisyJudge(
  chance: Chance,
  judge: number,
  { sigma, bias, steps, rubric }: { sigma: number; bias: number; steps: Steps; rubric: Rubric },
): NoisyJudge {
  const weights = weightsOf(rubric)
  const part = sigma / 2
  const each = part / Math.sqrt(weights.reduce((sum, weight) => sum + weight ** 2, 0))
  return {
    bias,
    about: (text, dimensions) => async (_, key) => {
      const sample = Number(/\d+/.exec(key)?.[0])
      const shift =
        bias + Math.SQRT2 * part * chance.bell(judge, text, misread) + part * chance.bell(judge, text, mood, sample)
      const scores = rubric.dimensions.map(({ id }, index) => {
        const seen = dimensions[index]! + shift + each * chance.bell(judge, text, detail, sample, index)
        return [id, said(seen, steps)]
      })
      return { status: 'ok', text: JSON.stringify({ scores: Object.fromEntries(scores) }) }
    },
  }
}

export function weightsOf({ dimensions }: Rubric): readonly number[] {
  const all = dimensions.reduce((sum, { weight }) => sum + weight, 0)
  return dimensions.map(({ weight }) => weight / all)
}

/** Measures like the real program, by the rubric's own anchors. */
export async function measured(
  judge: NoisyJudge,
  { rubric, rules }: { rubric: Rubric; rules: Pick<RefineConfig, 'scale'> },
): Promise<Calibration | null> {
  const ask: AskJudge = (question, key, role) => {
    const index = Number(/\d+/.exec(key)?.[0]) - 1
    const { score } = rubric.anchors[index]!
    return judge.about(
      anchorText + index,
      rubric.dimensions.map(() => score),
    )(question, key, role)
  }
  return (await calibrate({ rubric, rules, judge: { via: 'judge', model: 'noisy' }, ask })).calibration
}

const anchorText = 1_000_000

function said(seen: number, steps: Steps): number {
  const worth = Math.min(100, Math.max(0, seen))
  if (steps === 'levels') return Math.round(worth / 20)
  if (steps === 'halves') return Math.round(worth / 10) / 2
  return steps === 'fives' ? Math.round(worth / 5) * 5 : worth
}
