import type { Rubric } from '../../src/contract/rubric.ts'
import { findRubric } from '../../src/judging/scoring/rubrics/named.ts'
import { presets, type RefineConfig } from '../../src/modes/refinement/contract/config.ts'
import type { Steps } from './judge.ts'

/** A decision rule, with a judge that answers in `steps`. */
export type Rule = {
  readonly name: string
  readonly rules: RefineConfig
  readonly rubric: Rubric
  readonly steps: Steps
  readonly calibrates: boolean
}

const rubric = findRubric('general')!
const point: Rule = { name: 'point', rules: presets['sap-0010'], rubric, steps: 'fives', calibrates: false }
const interval: Rule = { name: 'interval', rules: presets.standard, rubric, steps: 'halves', calibrates: true }
const changed = (name: string, rules: Partial<RefineConfig>, more: Partial<Rule> = {}): Rule => ({
  ...interval,
  ...more,
  name,
  rules: { ...interval.rules, ...rules },
})

/** The presets sap-0010 and standard. Both have seven iterations and two retries per phase. */
export const sideBySide: readonly Rule[] = [point, interval]

/** Variants of the interval rule with one change each, and the point rule with calibration only. */
export const variants: readonly Rule[] = [
  { ...point, name: 'point, calibrated', calibrates: true },
  changed('point on half levels, calibrated', { decidesBy: 'point', samples: 1 }),
  changed('interval, whole levels', {}, { steps: 'levels' }),
  changed('interval, 0 to 100 in fives', { scale: 'percent' }, { steps: 'fives' }),
  changed('interval, 1 judgement at most', { samples: 1 }),
  changed('interval, 2 judgements at most', { samples: 2 }),
  changed('interval, 5 judgements at most', { samples: 5 }),
  changed('interval, bound at 82', { stopScore: 82 }),
  changed('interval, no floors', {}, { rubric: withoutFloors(rubric) }),
  changed('interval, not calibrated', {}, { calibrates: false }),
]

function withoutFloors(from: Rubric): Rubric {
  return { ...from, dimensions: from.dimensions.map((dimension) => ({ ...dimension, floor: 0 })) }
}
