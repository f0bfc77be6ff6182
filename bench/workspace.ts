import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, closeSync, copyFileSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchFolder } from './program.ts'

/** A program that runs `iterations` iterations in the workspace, one agent each, and exits. */
export type Loop = {
  readonly argv: (iterations: number) => readonly [string, ...string[]]
  readonly env?: Readonly<Record<string, string>>
}

export type Workspace = {
  /** The parent folder of the repository, for files that must not be in it. */
  readonly around: string
  /** The folder with our agent under the name `claude`. */
  readonly bin: string
  /** Returns the duration in milliseconds. Throws if an iteration did not do its work. */
  time(loop: Loop, iterations: number, signal: AbortSignal): Promise<number>
}

const prompts = {
  observe: 'Read TODO.md and the code it talks about.',
  orient: 'What is the next open item? What stands in its way?',
  decide: 'Choose one item that can be done and tested now.',
  act: 'Do it, run the tests, tick the item off in TODO.md.',
}
export const promptText = `${Object.values(prompts).join('\n\n')}\n`

const files = 200
const stories = 100

/** A repository of 200 files with one commit, a separate home, and an agent that changes a file. */
export function makeWorkspace(around: string): Workspace {
  const [folder, home, state, bin] = ['repository', 'home', 'state', 'bin'].map((name) => join(around, name))
  for (const path of [around, folder!, home!, state!, bin!]) mkdirSync(path)
  const env = { PATH: process.env.PATH ?? '', HOME: home!, XDG_STATE_HOME: state! }
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, env, stdio: 'ignore' })
  fill(folder!)
  installAgent(join(bin!, 'claude'))
  git('init')
  git('add', '--all')
  git('-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-m', 'all there is')

  async function time(loop: Loop, iterations: number, signal: AbortSignal): Promise<number> {
    // Files of an earlier loop must not affect this one.
    git('clean', '-ffdxq')
    git('checkout', '--', '.')
    const log = join(around, 'output.log')
    const took = await timed(loop.argv(iterations), { cwd: folder!, env: { ...env, ...loop.env }, log, signal })
    const done = readFileSync(join(folder!, 'work.txt'), 'utf8').split('\n').length - 1
    if (done === iterations) return took
    throw new Error(`${loop.argv(iterations).join(' ')} did ${done} iterations:\n${readFileSync(log, 'utf8')}`)
  }

  return { around, bin: bin!, time }
}

function fill(folder: string): void {
  for (let number = 1; number <= files; number++) {
    const part = join(folder, `part-${number % 10}`)
    mkdirSync(part, { recursive: true })
    writeFileSync(join(part, `file-${number}.txt`), `This is file ${number}.\n`.repeat(number))
  }
  installAgent(join(folder, 'agent.cjs'))
  writeFileSync(join(folder, 'prompt.md'), promptText)
  writeFileSync(join(folder, 'work.txt'), '')
  mkdirSync(join(folder, '.pawl'))
  const procedure = { ...prompts, ai_cmd: 'node agent.cjs', until: 'never' }
  writeFileSync(join(folder, '.pawl', 'config.yml'), JSON.stringify({ procedures: { build: procedure } }))
  writeFileSync(
    join(folder, 'prd.json'),
    JSON.stringify({ name: 'bench', userStories: Array.from({ length: stories }, storyOf) }),
  )
}

const storyOf = (_: unknown, index: number) => ({
  id: `US-${index + 1}`,
  title: `Story ${index + 1}`,
  description: promptText,
  acceptanceCriteria: ['It is done.'],
  priority: 1,
  passes: false,
})

function installAgent(path: string): void {
  copyFileSync(join(benchFolder, 'programs', 'agent.cjs'), path)
  chmodSync(path, 0o755)
}

type Start = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly log: string
  readonly signal: AbortSignal
}

/** Ignores the exit code: some loops report a requested stop as a failure. */
async function timed([program, ...args]: readonly [string, ...string[]], start: Start): Promise<number> {
  const { cwd, env, log, signal } = start
  signal.throwIfAborted()
  const output = openSync(log, 'w')
  try {
    const began = performance.now()
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', output, output], signal })
    await new Promise<void>((resolve, reject) => child.once('error', reject).once('exit', () => resolve()))
    return performance.now() - began
  } finally {
    closeSync(output)
  }
}
