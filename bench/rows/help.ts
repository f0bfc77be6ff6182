import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Line } from '../line.ts'
import { compare, type Pair, takeTurns } from '../pairs.ts'
import { root } from '../program.ts'
import { round } from '../table.ts'

const times = 21
const mostRatio = 1.2

/** The time until help is printed, compared with a Node that does nothing. */
export async function help({ signal }: Bench): Promise<Line[]> {
  if (!existsSync(join(root, 'dist', 'help.txt'))) {
    return [{ ...nothing, subject: 'pawl --help', figures: 'skipped: dist/help.txt is not built (npm run build)' }]
  }
  const empty = () => timed(node, ['-e', '0'], signal)
  const byNode = lineOf(
    await takeTurns(times, () => timed(node, [join(root, 'bin/pawl.cjs'), '--help'], signal), empty),
  )
  const byShell = lineOf(await takeTurns(times, () => timed(join(root, 'bin/pawl'), ['--help'], signal), empty))
  return [
    {
      ...byNode,
      subject: 'node bin/pawl.cjs --help',
      bound: { value: byNode.ratio ?? Infinity, most: mostRatio, unit: 'x' },
    },
    { ...byShell, subject: 'bin/pawl --help (sh)' },
  ]
}

const ownNode = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(ownNode) ? ownNode : process.execPath
const nothing = { row: 'help', anchor: 'node -e 0', ratio: null, spread: null, bound: null, durability: 'nothing kept' }

function lineOf(pairs: readonly Pair[]): Line {
  const { ratio, spread, subject, anchor } = compare(pairs)
  return { ...nothing, subject: '', ratio, spread, figures: `${round(subject)} and ${round(anchor)} ms` }
}

async function timed(program: string, args: readonly string[], signal: AbortSignal): Promise<number> {
  signal.throwIfAborted()
  const began = performance.now()
  const { status, error } = spawnSync(program, args, { stdio: 'ignore' })
  const took = performance.now() - began
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`)
  return took
}
