import { chanceOf } from './chance.ts'
import { measured, noisyJudge, weightsOf } from './judge.ts'
import { play } from './play.ts'
import type { Rule } from './rules.ts'
import { type Facts, factsOf } from './tally.ts'
import { worldOf } from './world.ts'

/** The results of a rule over many runs. Shares are percentages; the rest are means per run. */
export type Cell = {
  readonly sigma: number
  readonly rule: string
  readonly runs: number
  /** Of the accepted phases. */
  readonly falseAccepts: number
  readonly farAccepts: number
} & Readonly<Record<Exclude<keyof Facts, 'accepts' | 'falseAccepts' | 'farAccepts'>, number>>

/** The number of judges. Each is measured once, and runs use them in turn. */
const mostJudges = 250
/** The error of the judges, as a standard deviation. */
const biasSpread = 6
const biasName = 77

export async function cellOf(rule: Rule, options: { seed: number; runs: number; sigma: number }): Promise<Cell> {
  const { seed, runs, sigma } = options
  const { rules, rubric } = rule
  const chance = chanceOf(seed)
  const judges = await Promise.all(
    Array.from({ length: mostJudges }, async (_, index) => {
      const bias = biasSpread * chance.bell(index, biasName)
      const judge = noisyJudge(chance, index, { sigma, bias, steps: rule.steps, rubric })
      return { judge, calibration: rule.calibrates ? await measured(judge, rule) : null }
    }),
  )
  const weights = weightsOf(rubric)
  // Once judges are measured, anchors only make the evaluator's id longer, which would take a third of the time.
  const setup = { rules, rubric: { ...rubric, anchors: [] } }
  const all: Facts[] = []
  for (let run = 0; run < runs; run++) {
    const world = worldOf(chance, run, weights)
    const judge = judges[run % mostJudges]!
    all.push(factsOf(await play(world, { ...setup, ...judge, texts: 2_000_000 + run * 1000 }), world, rules))
  }
  return { sigma, rule: rule.name, runs, ...summed(all) }
}

function summed(all: readonly Facts[]): Omit<Cell, 'sigma' | 'rule' | 'runs'> {
  const total = (name: keyof Facts): number => all.reduce((sum, facts) => sum + facts[name], 0)
  const mean = (name: keyof Facts): number => total(name) / all.length
  const share = (name: keyof Facts): number => 100 * mean(name)
  const ofAccepted = (name: keyof Facts): number => (100 * total(name)) / Math.max(1, total('accepts'))
  return {
    falseAccepts: ofAccepted('falseAccepts'),
    farAccepts: ofAccepted('farAccepts'),
    late: mean('late'),
    afterBest: mean('afterBest'),
    missed: share('missed'),
    escalations: share('escalations'),
    falseEscalations: share('falseEscalations'),
    judgements: mean('judgements'),
    rounds: mean('rounds'),
    completed: share('completed'),
    sound: share('sound'),
    given: mean('given'),
    regret: mean('regret'),
  }
}
