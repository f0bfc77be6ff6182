import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { installLangGraph, langGraphName } from '../langgraph.ts'
import type { Bench, Line } from '../line.ts'
import { type Compared, compare, median } from '../pairs.ts'
import { runProgram } from '../program.ts'
import type { Keeping } from '../refine-loop.ts'
import type { Timed } from '../step-time.ts'
import { round } from '../table.ts'

const times = 5
const oneByOne = { manner: 'one-by-one', loops: 100, most: 0.2 } as const
const atOnce = { manner: 'at-once', loops: 1000, most: 0.1 } as const
const mostMemory = 0.5
/** The limit for our own milliseconds per round, independent of the comparison. */
const mostMs = { strict: 3, unsynced: 1, memory: 1 } as const

/** The cost of one refinement round (generate, judge, decide) with a model that answers at once. */
export async function step(bench: Bench): Promise<Line[]> {
  const found = installLangGraph()
  if ('missing' in found) return [absent('step', found.missing)]
  const sequential = await takeTurnsAs(oneByOne, bench, found.folder)
  return [...linesOf(oneByOne, sequential), ...linesOf(atOnce, await turnsAtOnce(bench, found.folder))]
}

/** Peak memory of the process, including Node. */
export async function stepMem(bench: Bench): Promise<Line[]> {
  const found = installLangGraph()
  if ('missing' in found) return [absent('step-mem', found.missing)]
  const turns = await turnsAtOnce(bench, found.folder)
  const compared = against(turns, 'unsynced', 'unsynced', ({ peakMb }) => peakMb)
  const { ratio, subject, anchor } = compared
  const files = `${median(turns.map(({ ours }) => ours.strict.files))} files open with syncs`
  return [
    {
      ...lineOf('step-mem', compared),
      subject: `${atOnce.loops} loops at once, peak RSS`,
      bound: { value: ratio, most: mostMemory, unit: 'x' },
      durability: durabilities.unsynced,
      figures: `${round(subject)} MB, ${files}, and ${round(anchor)} MB`,
    },
  ]
}

type How = typeof oneByOne | typeof atOnce
type Durability = Exclude<Keeping, 'memory'>
type Turn = { readonly ours: Readonly<Record<Keeping, Timed>>; readonly theirs: Readonly<Record<Durability, Timed>> }

const durabilities = {
  unsynced: 'both survive kill -9, not power loss',
  strict: 'both survive power loss: every step synced',
  mixed: 'ours survives power loss, theirs does not',
} as const

function linesOf({ manner, loops, most }: How, turns: readonly Turn[]): Line[] {
  const subject = manner === 'at-once' ? `${loops} loops at once` : 'loop of 5 steps, one by one'
  const timeOf = ({ usPerStep }: Timed): number => usPerStep
  const equal = (['unsynced', 'strict'] as const).map((durability): Line => {
    const line = lineOf('step', against(turns, durability, durability, timeOf))
    return { ...line, subject, bound: { value: line.ratio!, most, unit: 'x' }, durability: durabilities[durability] }
  })
  const mixed = lineOf('step', against(turns, 'strict', 'unsynced', timeOf))
  const lines = [...equal, { ...mixed, subject, durability: durabilities.mixed }]
  return manner === 'at-once' ? lines : [...lines, ...ownLines(turns)]
}

/** Our own time per round, including its share of starting and ending the run. */
function ownLines(turns: readonly Turn[]): Line[] {
  return (['unsynced', 'strict', 'memory'] as const).map((keeping): Line => {
    const all = turns.map(({ ours }) => ours[keeping].usPerStep / 1000)
    const value = median(all)
    const figures = `${round(value)} ms (${round(Math.min(...all))} to ${round(Math.max(...all))})`
    const bound = { value, most: mostMs[keeping], unit: 'ms' } as const
    return { ...nothing, row: 'step', subject: `engine time of a round, ${keeping}`, anchor: '-', bound, figures }
  })
}

const nothing = { anchor: langGraphName, ratio: null, spread: null, bound: null, durability: '-' }

/** A row that was not measured counts as failed. */
const absent = (row: string, why: string): Line => ({
  ...nothing,
  row,
  subject: 'refine loop of 5 steps',
  bound: { value: Number.NaN, most: oneByOne.most, unit: 'x' },
  figures: `not measured: ${why}`,
})

function lineOf(row: string, { ratio, spread, subject, anchor }: Compared): Line {
  return { ...nothing, row, subject: '', ratio, spread, figures: `${round(subject)} and ${round(anchor)} us/step` }
}

function against(turns: readonly Turn[], own: Durability, their: Durability, of: (timed: Timed) => number): Compared {
  return compare(turns.map(({ ours, theirs }) => ({ subject: of(ours[own]), anchor: of(theirs[their]) })))
}

let taken: Promise<Turn[]> | undefined
/** Both rows share the same turns, because these create hundreds of thousands of files. */
const turnsAtOnce = (bench: Bench, folder: string): Promise<Turn[]> => (taken ??= takeTurnsAs(atOnce, bench, folder))

/**
 * Each turn is a separate process; the first one does not count. Nothing is removed in between, because for minutes after that
 * ext4 takes ten times as long to create a file.
 */
async function takeTurnsAs({ manner, loops }: How, { scratch, signal }: Bench, folder: string): Promise<Turn[]> {
  const around = (): string => mkdtempSync(join(scratch, 'steps-'))
  const own = (keeping: Keeping) =>
    runProgram<Timed>('step-own', [around(), manner, String(loops), keeping], { signal })
  const their = (durability: Durability) =>
    runProgram<Timed>('step-langgraph', [folder, around(), manner, String(loops), durability], { signal })
  const turns: Turn[] = []
  for (let turn = 0; turn <= times; turn++) {
    turns.push({
      ours: { unsynced: await own('unsynced'), strict: await own('strict'), memory: await own('memory') },
      theirs: { unsynced: await their('unsynced'), strict: await their('strict') },
    })
  }
  return turns.slice(1)
}
