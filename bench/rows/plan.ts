import type { Bench, Line } from '../line.ts'
import { compare, median, type Pair } from '../pairs.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const bytes = 1_000_000
const stories = 10_000
const times = 7
const mostRatio = 1.5

type Measured = { readonly pairs: Pair[]; readonly planned: number; readonly sorted: readonly number[] }

/** The cost of planning a long PRD, compared with only parsing it. */
export async function plan({ signal }: Bench): Promise<Line[]> {
  const args = [bytes, stories, times].map(String)
  const { pairs, planned, sorted } = await runProgram<Measured>('plan', args, { signal, flags: ['--expose-gc'] })
  const { ratio, spread, subject, anchor } = compare(pairs)
  return [
    {
      row: 'plan',
      subject: `plan of a PRD of ${bytes / 1e6} MB`,
      anchor: 'markdown-it parses it',
      ratio,
      spread,
      bound: { value: ratio, most: mostRatio, unit: 'x' },
      durability: 'nothing kept',
      figures: `${round(subject)} and ${round(anchor)} ms, ${planned} stories`,
    },
    {
      row: 'plan order',
      subject: `${stories} stories, each after the next`,
      anchor: '-',
      ratio: null,
      spread: null,
      bound: null,
      durability: 'nothing kept',
      figures: `${round(median(sorted))} ms`,
    },
  ]
}
