import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Line } from '../line.ts'
import { compare, type Pair, takeTurns } from '../pairs.ts'
import { root } from '../program.ts'
import { type Rival, ralph, ralphTui } from '../rivals.ts'
import { round } from '../table.ts'
import { type Loop, makeWorkspace, type Workspace } from '../workspace.ts'

const times = 5
const mostRatio = 1.2

/** The minimum and maximum iterations of a turn. The difference is the cost of iterations only. */
const counts: Counts = [5, 25]
/** Fewer iterations for a loop that pauses for seconds after each one. */
const restingCounts: Counts = [1, 4]
const restingTimes = 2

type Counts = readonly [least: number, most: number]

/** The time of one more iteration of the complete program, compared with one more turn of a bash loop. */
export async function loop(bench: Bench): Promise<Line[]> {
  if (!existsSync(join(root, 'dist', 'main.js'))) {
    return [{ ...nothing, subject: 'pawl run', figures: 'skipped: dist is not built (npm run build)' }]
  }
  const workspace = makeWorkspace(join(bench.scratch, 'loop'))
  const usual = await against(bench, workspace, pawl({}))
  const strict = await against(bench, workspace, pawl({ PAWL_DURABILITY: 'strict' }))
  const open = await against(bench, workspace, pawl({ PAWL_SANDBOX: 'off' }))
  return [
    bounded({ ...lineOf(usual), subject: 'pawl run', durability: `best-effort: ${synced}` }),
    bounded({ ...lineOf(strict), subject: 'pawl run, durability strict', durability: `strict: ${synced}` }),
    bounded({ ...lineOf(open), subject: 'pawl run, sandbox off', durability: `best-effort: ${synced}` }),
    { ...nothing, subject: 'what pawl run adds', figures: `${added(usual)}; sandbox off ${added(open)}` },
    ...(await rivalLines(bench, workspace)),
  ]
}

const synced = 'journal, prompt, log'
const nothing = {
  row: 'loop',
  anchor: 'bash loop, same agent',
  ratio: null,
  spread: null,
  bound: null,
  durability: '-',
}

const pawl = (env: Readonly<Record<string, string>>): Loop => ({
  argv: (iterations) => [join(root, 'bin', 'pawl'), 'run', 'build', '--trust', '--max-iterations', String(iterations)],
  env,
})

const inBash: Loop = {
  argv: (iterations) => [
    'bash',
    '-c',
    'for i in $(seq "$1"); do cat prompt.md | node agent.cjs; done',
    'bash',
    String(iterations),
  ],
}

async function against(bench: Bench, workspace: Workspace, subject: Loop): Promise<Pair[]> {
  const slope = slopeIn(workspace, bench.signal)
  return takeTurns(
    times,
    () => slope(subject, counts),
    () => slope(inBash, counts),
  )
}

/** Returns milliseconds per iteration. Both times include the start of the program, which cancels out. */
const slopeIn =
  ({ time }: Workspace, signal: AbortSignal) =>
  async (loop: Loop, [least, most]: Counts): Promise<number> => {
    const short = await time(loop, least, signal)
    const long = await time(loop, most, signal)
    return (long - short) / (most - least)
  }

async function rivalLines(bench: Bench, workspace: Workspace): Promise<Line[]> {
  const { BENCH_RALPH: script = '', BENCH_RALPH_TUI: folder = '' } = process.env
  return [
    ...(existsSync(script)
      ? await linesOf(bench, workspace, ralph(script, workspace))
      : [absent('ralph.sh', 'BENCH_RALPH')]),
    ...(existsSync(folder)
      ? await linesOf(bench, workspace, ralphTui(folder, workspace))
      : [absent('ralph-tui', 'BENCH_RALPH_TUI')]),
  ]
}

const absent = (subject: string, variable: string): Line => ({
  ...nothing,
  subject,
  figures: `left out: ${variable} does not say where it is`,
})

async function linesOf(bench: Bench, workspace: Workspace, rival: Rival): Promise<Line[]> {
  const { name, rest, durability } = rival
  const slope = slopeIn(workspace, bench.signal)
  const resting = await takeTurns(
    restingTimes,
    () => slope(rival.resting, restingCounts),
    () => slope(inBash, counts),
  )
  const restless = await against(bench, workspace, rival.restless)
  return [
    { ...lineOf(resting), subject: name, durability },
    { ...lineOf(restless), subject: `${name}, without ${rest}`, durability },
  ]
}

function lineOf(pairs: readonly Pair[]): Line {
  const { ratio, spread, subject, anchor } = compare(pairs)
  return { ...nothing, subject: '', ratio, spread, figures: `${round(subject)} and ${round(anchor)} ms/iteration` }
}

const bounded = (line: Line): Line => ({
  ...line,
  bound: { value: line.ratio ?? Infinity, most: mostRatio, unit: 'x' },
})

function added(pairs: readonly Pair[]): string {
  const differences = pairs.map(({ subject, anchor }) => subject - anchor)
  const [least, most] = [Math.min(...differences), Math.max(...differences)]
  return `${round(compare(pairs).difference)} ms/iteration (${round(least)} to ${round(most)})`
}
