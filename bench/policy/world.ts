import type { Chance } from './chance.ts'

/** The true worth of a text, overall and in each dimension. The run cannot see it. */
export type Draft = { readonly id: number; readonly worth: number; readonly dimensions: readonly number[] }

export type Via = 'weak' | 'strong'
/** A model's first worth, its ceiling, and the share of the remaining gap that one revision closes. */
type Skill = { readonly start: number; readonly ceiling: number; readonly rate: number }
export type World = {
  /** Returns a model's draft in a round of a phase, from the text it revises. */
  readonly draft: (by: Via, at: { readonly phase: number; readonly round: number }, base: Draft | null) => Draft
}

export const stopWorth = 80

const [task, jitter, luck, shape] = [1, 2, 3, 4]
/** The variation between texts made the same way, and between the phases of a task. */
const [textLuck, phaseLuck, dimensionLuck] = [3, 3, 5]

/** One task of a seeded run. A model's gains shrink near its ceiling, and a revision may be worse than its base. */
export function worldOf(chance: Chance, run: number, weights: readonly number[]): World {
  const between = (least: number, most: number, name: number): number =>
    least + (most - least) * chance.even(run, task, name)
  const kind = kindOf(chance.even(run, task, 0))
  const weak = {
    easy: () => ({ start: between(81, 90, 1), ceiling: between(90, 96, 2), rate: between(0.3, 0.5, 3) }),
    reachable: () => ({ start: between(62, 79, 1), ceiling: between(85, 94, 2), rate: between(0.3, 0.5, 3) }),
    beyond: () => ({ start: between(50, 70, 1), ceiling: between(68, 78, 2), rate: between(0.2, 0.4, 3) }),
  }[kind]()
  const skills: Readonly<Record<Via, Skill>> = {
    weak,
    strong: { start: weak.start + between(4, 12, 4), ceiling: between(84, 97, 5), rate: between(0.4, 0.6, 6) },
  }
  return {
    draft: (by, { phase, round }, base) => {
      const { start, ceiling, rate } = skills[by]
      const from = start + phaseLuck * chance.bell(run, jitter, phase)
      const revised = base && Math.max(from, base.worth)
      const aim = revised === null ? from : revised + rate * Math.max(0, ceiling - revised)
      const worth = within(aim + textLuck * chance.bell(run, luck, phase, round, by === 'weak' ? 0 : 1))
      const id = (phase * 100 + round) * 2 + (by === 'weak' ? 0 : 1)
      const offsets = weights.map((_, index) => dimensionLuck * chance.bell(run, shape, id, index))
      const middle = offsets.reduce((sum, offset, index) => sum + offset * weights[index]!, 0)
      return { id, worth, dimensions: offsets.map((offset) => worth + offset - middle) }
    },
  }
}

/** `easy`: good at once. `reachable`: the weak model succeeds by revising. `beyond`: usually only the stronger one does. */
const kindOf = (share: number): 'easy' | 'reachable' | 'beyond' =>
  share < 0.25 ? 'easy' : share < 0.7 ? 'reachable' : 'beyond'
const within = (worth: number): number => Math.min(99, Math.max(1, worth))
