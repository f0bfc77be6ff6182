import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readResult } from '../../src/modes/delivery/start/input/read-result.ts'
import { canMountHere } from '../support/can-mount.ts'
import { problemsAt, requestAt } from '../support/runs.ts'
import { isWhole } from '../support/sample.ts'
import { exitOf, startPawl } from '../torture/kill.ts'
import { processesIn } from '../torture/processes.ts'
import { needs } from './faulty.ts'

/** The story changes product, tests and dependencies, so that a room is made, filled with a layer and used six times. */
const files = {
  'PRD.md': '## Tasks\n\n- **T1:** Count the words.\n',
  '.gitignore': 'node_modules\n.pawl\n',
  'requirements.txt': 'first==1\n',
  'count.sh': 'echo 0\n',
  'test/count.sh': 'test "$(printf "a b" | sh count.sh)" = 2\n',
} as const
const proof = 'test -e node_modules/installed && sh test/count.sh'
const agent = `cat >/dev/null
echo call >>node_modules/calls
echo 'wc -w | tr -d " "' >count.sh
echo 'second==1' >>requirements.txt
echo 'test "$(printf "a b c" | sh count.sh)" = 3' >>test/count.sh
`

/** Kills the program with -9 right before the nth call of a kind, for each n up to the last. */
const kinds = [
  ['starts of processes', '/^(clone|v?fork)', 9],
  ['new folders', '/^mkdir', 9],
  ['removals', '/^(unlink|rmdir)', 23],
  ['renames', '/^rename', 5],
] as const
/** `PAWL_KILLS=all` takes every one of them, which takes half an hour. */
const stepOf = (every: number): number => (process.env.PAWL_KILLS === 'all' ? 1 : isWhole ? every : 10 * every)

test.runIf(canMountHere).for(kinds)(
  'kill -9 before each of its %s while a room is made, filled and used: the next call ends it, and nothing remains',
  { timeout: 3_600_000 },
  async ([, calls, every], context) => {
    needs(context, 'strace')
    const problems: string[] = []
    let kills = 0
    for (let n = 1; ; n += stepOf(every)) {
      const here = newDelivery()
      const inject = ['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=KILL:when=${n}`]
      const code = await here.call(['strace', '-qq', '-o', '/dev/null', ...inject])
      const again = code === null ? await here.call() : code
      problems.push(...(await here.problems(again)).map((problem) => `${calls} ${n}: ${problem}`))
      here.remove()
      if (code !== null) break
      kills++
    }
    expect(problems).toEqual([])
    expect(kills).toBeGreaterThan(0)
  },
)

function newDelivery() {
  const root = fs.mkdtempSync(join(tmpdir(), 'pawl-room-kills-'))
  const [repo, temporary] = [join(root, 'repo'), join(root, 'tmp')]
  const git = (...words: string[]): string => {
    const { status, stdout, stderr } = spawnSync('git', words, {
      cwd: repo,
      env: { PATH: process.env.PATH!, HOME: root },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`)
    return stdout.trim()
  }
  for (const path of [join(repo, 'test'), join(repo, 'node_modules'), temporary])
    fs.mkdirSync(path, { recursive: true })
  for (const [path, text] of Object.entries(files)) fs.writeFileSync(join(repo, path), text)
  fs.writeFileSync(join(root, 'agent.sh'), agent)
  git('init', '-q', '-b', 'main', '--template=')
  git('config', 'user.name', 'Ada')
  git('config', 'user.email', 'ada@example.com')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  fs.writeFileSync(join(repo, 'node_modules', 'installed'), 'first==1\n')
  const commands = ['--verify', proof, '--setup', 'cp requirements.txt node_modules/installed']
  const words = [
    'deliver',
    'PRD.md',
    ...commands,
    '--ai-cmd',
    `sh ${join(root, 'agent.sh')}`,
    '--trust',
    '--red-baseline',
    'accept',
  ]
  const runsIn = (): string[] => {
    const folder = join(repo, '.pawl', 'runs')
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : []
    return names.map((name) => join(folder, name)).filter((dir) => fs.existsSync(join(dir, 'progress.ndjson')))
  }

  /** What must hold after the call that ended the delivery. */
  async function problems(code: number | null): Promise<string[]> {
    const [dir, ...others] = runsIn()
    if (code !== 0 || !dir) return [`exit ${code}`]
    const run = requestAt(dir).run_id
    const result = readResult(join(dir, 'result.json'), run)
    const [story] = result?.stories ?? []
    const commits = git('log', '--format=%H', '--grep=Pawl-Story', 'main').split('\n').filter(Boolean)
    const calls = fs
      .readFileSync(join(repo, 'node_modules', 'calls'), 'utf8')
      .trim()
      .split('\n').length
    return [
      ...(others.length === 0 ? [] : [`${others.length + 1} runs`]),
      ...(await problemsAt(dir)),
      ...(story?.evidence === 'proven' && story.verified_in === 'clean_room' ? [] : [JSON.stringify(story)]),
      ...(commits.length === 1 && commits[0] === story?.commit ? [] : [`commits ${commits.join(', ')}`]),
      ...(commits.every(passesElsewhere) ? [] : ['the commit is red elsewhere']),
      // An agent that was killed before its end may have to start again.
      ...(calls <= 2 ? [] : [`${calls} calls of the agent`]),
      ...(fs.existsSync(join(dir, 'room')) ? ['the room was left behind'] : []),
      ...fs.readdirSync(temporary).map((name) => `${name} was left in the temporary folder`),
      ...processesIn(root, run).map((pid) => `process ${pid} was left behind`),
    ]
  }

  function passesElsewhere(commit: string): boolean {
    const folder = join(root, 'elsewhere')
    git('clone', '--quiet', '--no-checkout', repo, folder)
    git('-C', folder, 'checkout', '--quiet', '--detach', commit)
    const verify = `mkdir node_modules && cp requirements.txt node_modules/installed && ${proof}`
    return spawnSync('sh', ['-c', verify], { cwd: folder }).status === 0
  }

  const env = { TMPDIR: temporary, PAWL_SANDBOX: 'auto' }
  return {
    call: (before: readonly string[] = []) => exitOf(startPawl({ cwd: repo, home: root, before, env }, words)),
    problems,
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  }
}
