import type { Chance } from './chance.ts'

/** What a text is truly worth, which nobody in the run can see: as a whole and in each dimension. */
export type Draft = { readonly id: number; readonly worth: number; readonly dimensions: readonly number[] }

export type Via = 'weak' | 'strong'
/** Where a model begins, what it can reach at best, and how much of what is missing one revision adds. */
type Skill = { readonly start: number; readonly ceiling: number; readonly rate: number }
export type World = {
  /** The draft that a model makes in a round of a phase, from the text it revises. */
  readonly draft: (by: Via, at: { readonly phase: number; readonly round: number }, base: Draft | null) => Draft
}

export const stopWorth = 80

const [task, jitter, luck, shape] = [1, 2, 3, 4]
/** How much one text differs from another that was made alike, and one phase of a task from another. */
const [textLuck, phaseLuck, dimensionLuck] = [3, 3, 5]

/** One task of a seeded run: a model's gains shrink as it nears its ceiling, and a revision may be worse than its base. */
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

/** `easy`: good at once. `reachable`: the weak model gets there by revising. `beyond`: only the stronger one does, mostly. */
const kindOf = (share: number): 'easy' | 'reachable' | 'beyond' =>
  share < 0.25 ? 'easy' : share < 0.7 ? 'reachable' : 'beyond'
const within = (worth: number): number => Math.min(99, Math.max(1, worth))
