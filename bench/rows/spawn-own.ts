import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Line } from '../line.ts'
import { type Compared, compare, median, type Pair } from '../pairs.ts'
import { benchFolder, runProgram } from '../program.ts'
import { round } from '../table.ts'

const times = 5
const pairsEach = 200
const mostMs = 0.5

type Variant = { readonly isolation: 'off' | 'auto'; readonly flush: 'journal' | 'content' }

/** The engine's overhead: one durable iteration, compared with one bare spawn of the same program. */
export async function spawnOwn(bench: Bench): Promise<Line[]> {
  const program = agentIn(bench.scratch)
  const strict = await measure(bench, program, { isolation: 'off', flush: 'journal' })
  const content = await measure(bench, program, { isolation: 'off', flush: 'content' })
  const isolated = await measure(bench, program, { isolation: 'auto', flush: 'journal' })
  const bound = { value: strict.difference, most: mostMs, unit: 'ms' } as const
  return [
    { ...lineOf(strict, program), subject: 'durable iteration, no isolation', bound, durability: oneSync },
    { ...lineOf(content, program), subject: 'the same, content synced too', durability: allSynced },
    isolated.isolation === 'bubblewrap'
      ? { ...lineOf(isolated, program), subject: 'durable iteration, bubblewrap', durability: oneSync }
      : { ...nothing, subject: 'durable iteration, bubblewrap', figures: 'skipped: bubblewrap does not work here' },
  ]
}

const oneSync = 'strict: 1 fdatasync/iteration'
const allSynced = 'strict + prompt, log and folder synced'
const nothing = { row: 'spawn-own', anchor: 'bare spawn', ratio: null, spread: null, bound: null, durability: '-' }

type Measured = Compared & { readonly isolation: string }

/** Each repetition is a separate process and run; its median counts. */
async function measure({ scratch, signal }: Bench, program: string, variant: Variant): Promise<Measured> {
  const medians: Compared[] = []
  let isolation = ''
  for (let time = 0; time < times; time++) {
    const dir = mkdtempSync(join(scratch, 'run-'))
    const args = [dir, program, String(pairsEach), variant.isolation, variant.flush]
    const found = await runProgram<{ pairs: Pair[]; isolation: string }>('spawn-own', args, { signal })
    medians.push(compare(found.pairs))
    isolation = found.isolation
  }
  const over = (pick: (one: Compared) => number): number[] => medians.map(pick)
  const ratios = over(({ ratio }) => ratio)
  return {
    isolation,
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
    subject: median(over(({ subject }) => subject)),
    anchor: median(over(({ anchor }) => anchor)),
    difference: median(over(({ difference }) => difference)),
  }
}

function lineOf({ ratio, spread, subject, anchor, difference }: Measured, program: string): Line {
  const figures = `${round(difference)} ms above (${round(subject)} and ${round(anchor)} ms)`
  return { ...nothing, subject: '', anchor: `bare spawn of ${nameOf(program)}`, ratio, spread, figures }
}

const nameOf = (program: string): string => (program === '/bin/true' ? program : 'a 5-line C program')

function agentIn(scratch: string): string {
  const program = join(scratch, 'agent')
  try {
    execFileSync('cc', ['-O2', '-static', '-o', program, join(benchFolder, 'programs', 'agent.c')], { stdio: 'ignore' })
    return program
  } catch {
    return '/bin/true'
  }
}
