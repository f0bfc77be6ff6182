import { tortureDelivery } from './delivery.ts'
import { raceDeliveries } from './race.ts'
import { tortureRefinement } from './refinement.ts'
import { torture } from './torture.ts'

/** `npm run torture [-- kills seed] [delivery | race | refinement]`: 2,000 kills of a procedure by default, two processes at a time. */
const words = process.argv.slice(2)
const [kills = 2000, seed = Date.now() % 1_000_000] = words.filter((word) => /^\d+$/.test(word)).map(Number)
const scenarios = { delivery: tortureDelivery, race: raceDeliveries, refinement: tortureRefinement } as const
const named = Object.entries(scenarios).find(([name]) => words.includes(name))
const scenario = named?.[1] ?? torture
const halves = await Promise.all([0, 1].map((half) => scenario(Math.ceil(kills / 2), seed + half, console.log)))
const problems = halves.flatMap((tally) => tally.problems)
const sum = (pick: (tally: (typeof halves)[number]) => number): number =>
  halves.reduce((total, tally) => total + pick(tally), 0)
for (const problem of problems) console.error(problem)
console.log(`${sum((t) => t.kills)} kills over ${sum((t) => t.runs)} runs, ${problems.length} problems (seed ${seed})`)
process.exitCode = problems.length ? 1 : 0
