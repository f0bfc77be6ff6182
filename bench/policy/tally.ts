import type { RefineConfig } from '../../src/modes/refinement/contract/config.ts'
import type { Played, Round } from './play.ts'
import { stopWorth, type World } from './world.ts'

/** What became of one run, against what was true. */
export type Facts = {
  /** Phases that were accepted, and how many of those on a text that is worth less than 80, and than 75. */
  readonly accepts: number
  readonly falseAccepts: number
  readonly farAccepts: number
  /** Rounds after a text of the phase was worth 80 already, and after the best one of the phase. */
  readonly late: number
  readonly afterBest: number
  /** It ended in a phase that had a text worth 80, without accepting it. */
  readonly missed: number
  readonly escalations: number
  /** The weak model had got there, or would have with the tries that were left. */
  readonly falseEscalations: number
  readonly judgements: number
  readonly rounds: number
  readonly completed: number
  /** Completed, and no phase of it on a text that is worth less than 80. */
  readonly sound: number
  /** The worth of what the run gives back, and how much more the best of that phase was worth. */
  readonly given: number
  readonly regret: number
}

export function factsOf({ rounds, given, reason }: Played, world: World, rules: RefineConfig): Facts {
  const phases = [...new Set(rounds.map(({ phase }) => phase))].map((phase) =>
    rounds.filter((round) => round.phase === phase),
  )
  const accepted = rounds.filter((round) => round.accepted)
  const completed = reason === 'threshold_met'
  const last = phases.at(-1)!
  const escalated = phases.map(weakPartOf).filter((weak) => weak.length > 0)
  const source = phases.find((phase) => phase.some(({ draft }) => draft === given)) ?? []
  const worth = given?.worth ?? 0
  return {
    accepts: accepted.length,
    falseAccepts: count(accepted, ({ draft }) => draft.worth < stopWorth),
    farAccepts: count(accepted, ({ draft }) => draft.worth < stopWorth - 5),
    late: sum(phases.map((phase) => afterFirst(phase, ({ draft }) => draft.worth >= stopWorth))),
    afterBest: sum(phases.map((phase) => afterFirst(phase, ({ draft }) => draft.worth === bestOf(phase)))),
    missed: !last.at(-1)!.accepted && bestOf(last) >= stopWorth ? 1 : 0,
    escalations: escalated.length,
    falseEscalations: count(escalated, (weak) => wouldGetThere(weak, world, rules)),
    judgements: sum(rounds.map(({ judgements }) => judgements)),
    rounds: rounds.length,
    completed: completed ? 1 : 0,
    sound: completed && accepted.every(({ draft }) => draft.worth >= stopWorth) ? 1 : 0,
    given: worth,
    regret: Math.max(0, bestOf(source) - worth),
  }
}

/** What the weak model wrote of a phase that the strong one took over. */
function weakPartOf(phase: readonly Round[]): readonly Round[] {
  const weak = phase.filter(({ via }) => via === 'weak')
  return weak.length < phase.length ? weak : []
}

/** Played on by the weak model, each revision of the best there is, as often as the phase had retries. */
function wouldGetThere(weak: readonly Round[], world: World, { retries }: RefineConfig): boolean {
  const [{ phase }] = weak as [Round]
  let best = weak.map(({ draft }) => draft).reduce((one, other) => (other.worth > one.worth ? other : one))
  for (let round = weak.length + 1; best.worth < stopWorth && round <= retries + 1; round++) {
    const draft = world.draft('weak', { phase, round }, best)
    if (draft.worth > best.worth) best = draft
  }
  return best.worth >= stopWorth
}

const bestOf = (rounds: readonly Round[]): number => Math.max(0, ...rounds.map(({ draft }) => draft.worth))

function afterFirst(rounds: readonly Round[], holds: (round: Round) => boolean): number {
  const first = rounds.findIndex(holds)
  return first < 0 ? 0 : rounds.length - 1 - first
}

const count = <T>(items: readonly T[], holds: (item: T) => boolean): number => items.filter(holds).length
const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
