import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench, Line } from '../line.ts'
import { compare, type Pair, takeTurns } from '../pairs.ts'
import { root } from '../program.ts'
import { round } from '../table.ts'

const runs = 20
const times = 7
/** Calls per turn, because the shell measures in hundredths of a second. */
const together = 10
const mostRatio = 5

/** The CPU time of a short command in a repository with finished runs, compared with a Node that does nothing. */
export async function start({ scratch, signal }: Bench): Promise<Line[]> {
  if (!existsSync(join(root, 'dist', 'main.js'))) {
    return [{ ...nothing, subject: 'pawl ls', figures: 'skipped: dist is not built (npm run build)' }]
  }
  const place = makePlace(join(scratch, 'start'))
  const measured = async (subject: string, ...words: readonly string[]): Promise<Line> =>
    lineOf(
      subject,
      await takeTurns(
        times,
        async () => cpuTime([pawl, ...words], place, signal),
        async () => cpuTime(['-e', '0'], place, signal),
      ),
    )
  return [await measured('pawl ls', 'ls'), await measured('pawl show', 'show')]
}

const ownNode = join(root, 'node_modules', '.bin', 'node')
const node = existsSync(ownNode) ? ownNode : process.execPath
const pawl = join(root, 'bin', 'pawl.cjs')
const nothing = {
  row: 'start',
  anchor: 'node -e 0',
  ratio: null,
  spread: null,
  bound: null,
  durability: 'nothing kept',
}

type Place = { readonly cwd: string; readonly env: Readonly<Record<string, string>> }

/** A repository with finished runs, and a separate home. */
function makePlace(around: string): Place {
  const [cwd, home, state] = ['repository', 'home', 'state'].map((name) => join(around, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [around, cwd, home, state, join(cwd, '.pawl')]) mkdirSync(path)
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_STATE_HOME: state, PAWL_SANDBOX: 'off' }
  const procedure = { act: 'Do the next thing.', ai_cmd: 'cat', until: 'never' }
  writeFileSync(join(cwd, '.pawl', 'config.yml'), JSON.stringify({ procedures: { build: procedure } }))
  const git = (...words: readonly string[]) => execFileSync('git', words, { cwd, env, stdio: 'ignore' })
  git('init')
  git('add', '--all')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-m', 'all there is')
  for (let number = 1; number <= runs; number++) {
    execFileSync(node, [pawl, 'run', 'build', '-n', '1', '--trust'], { cwd, env, stdio: 'ignore' })
  }
  return { cwd, env }
}

/** Returns user and system milliseconds of one call, including its child processes. The shell adds them up. */
function cpuTime(args: readonly string[], { cwd, env }: Place, signal: AbortSignal): number {
  signal.throwIfAborted()
  const script = `for i in $(seq ${together}); do "$@" >/dev/null || exit; done; times`
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', node, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  const [, children = ''] = stdout.trim().split('\n')
  const seconds = [...children.matchAll(/(\d+)m([\d.]+)s/g)].map(([, m, s]) => 60 * Number(m) + Number(s))
  return (1000 * seconds.reduce((sum, one) => sum + one, 0)) / together
}

function lineOf(subject: string, pairs: readonly Pair[]): Line {
  const { ratio, spread, ...medians } = compare(pairs)
  return {
    ...nothing,
    subject: `${subject}, ${runs} finished runs`,
    ratio,
    spread,
    bound: { value: ratio, most: mostRatio, unit: 'x' },
    figures: `${round(medians.subject)} and ${round(medians.anchor)} ms of processor time`,
  }
}
