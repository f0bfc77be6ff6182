import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Line } from '../line.ts'
import { compare, type Pair } from '../pairs.ts'
import { runProgram } from '../program.ts'
import { round } from '../table.ts'

const chapters = 100
const words = 300_000
const times = 7
const [mostStatus, mostDiff] = [10, 3]

type Measured = { readonly status: Pair[]; readonly diff: Pair[]; readonly hunks: number }

/** What `/status` and the computed diff cost in a long novel, compared with git's own. */
export async function write({ scratch, signal }: Bench): Promise<Line[]> {
  const folder = mkdtempSync(join(scratch, 'write-'))
  const args = [folder, chapters, words, times].map(String)
  const { status, diff, hunks } = await runProgram<Measured>('write', args, { signal })
  const [statusCost, diffCost] = [compare(status), compare(diff)]
  const novel = `${chapters} chapters, ${words.toLocaleString('en')} words`
  return [
    {
      row: 'write status',
      subject: `/status of ${novel}`,
      anchor: 'git status',
      ratio: statusCost.ratio,
      spread: statusCost.spread,
      bound: { value: statusCost.ratio, most: mostStatus, unit: 'x' },
      durability: 'nothing kept',
      figures: `${round(statusCost.subject)} and ${round(statusCost.anchor)} ms`,
    },
    {
      row: 'write diff',
      subject: `computed diff, 5 % of the sentences changed`,
      anchor: 'git diff --word-diff',
      ratio: diffCost.ratio,
      spread: diffCost.spread,
      bound: { value: diffCost.ratio, most: mostDiff, unit: 'x' },
      durability: 'nothing kept',
      figures: `${round(diffCost.subject)} and ${round(diffCost.anchor)} ms, ${hunks} hunks`,
    },
  ]
}
