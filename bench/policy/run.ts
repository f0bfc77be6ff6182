// The refinement policy with imperfect judges. `node bench/policy/run.ts [seed] [--runs n] [--json]`: the same seed prints the same.
// Exit code 1: biased but otherwise exact judges end more than 3 points apart.
import { parseArgs } from 'node:util'
import { type Gap, gapOf } from './bias.ts'
import { type Cell, cellOf } from './cell.ts'
import { type Report, renderReport } from './report.ts'
import { type Rule, sideBySide, variants } from './rules.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, runs: { type: 'string', default: '2000' } },
})
const [seed, runs] = [positionals[0] ?? '1', values.runs].map((value) => (/^\d{1,9}$/.test(value) ? Number(value) : 0))
if (!seed || !runs || positionals.length > 1) {
  console.error('seed and --runs must be integers from 1')
  process.exitCode = 2
} else {
  const report = await compare(seed, runs)
  console.log(values.json ? JSON.stringify({ seed, runs, ...report }) : renderReport(report))
  process.exitCode = report.bias.some(isOver) ? 1 : 0
}

async function compare(from: number, count: number): Promise<Report> {
  return {
    sideBySide: await each([4, 6, 8, 10, 12], sideBySide, (sigma, rule) =>
      cellOf(rule, { seed: from, runs: count, sigma }),
    ),
    variants: await each([8], variants, (sigma, rule) => cellOf(rule, { seed: from, runs: count, sigma })),
    bias: await each([0, 4, 8, 12], sideBySide, (sigma, rule) => gapOf(rule, { seed: from, pairs: 100, sigma })),
  }
}

function isOver({ sigma, read }: Gap): boolean {
  return sigma === 0 && Math.abs(read) > 3
}

async function each<T extends Cell | Gap>(
  sigmas: readonly number[],
  rules: readonly Rule[],
  measure: (sigma: number, rule: Rule) => Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = []
  for (const sigma of sigmas) for (const rule of rules) found.push(await measure(sigma, rule))
  return found
}
