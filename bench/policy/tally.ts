import type { RefineConfig } from '../../src/modes/refinement/contract/config.ts'
import type { Played, Round } from './play.ts'
import { stopWorth, type World } from './world.ts'

/** The outcome of one run, compared with the true values. */
export type Facts = {
  /** Accepted phases, and how many of them with a text worth less than 80 and less than 75. */
  readonly accepts: number
  readonly falseAccepts: number
  readonly farAccepts: number
  /** Rounds after the phase already had a text worth 80, and after its best text. */
  readonly late: number
  readonly afterBest: number
  /** The run ended in a phase with a text worth 80 without accepting it. */
  readonly missed: number
  readonly escalations: number
  /** The weak model had succeeded, or would have with the remaining retries. */
  readonly falseEscalations: number
  readonly judgements: number
  readonly rounds: number
  readonly completed: number
  /** Completed, and every phase has a text worth at least 80. */
  readonly sound: number
  /** The worth of the returned text, and how much more the best text of that phase was worth. */
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

/** The texts of the weak model in a phase that the strong one took over. */
function weakPartOf(phase: readonly Round[]): readonly Round[] {
  const weak = phase.filter(({ via }) => via === 'weak')
  return weak.length < phase.length ? weak : []
}

/** Continues with the weak model, which revises the best text so far, for the phase's number of retries. */
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
