import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createShell } from '../../adapters/shell/shell.ts'
import { openFilesStore } from '../../adapters/stores/files/store.ts'
import { buildEnvironment, findSecretValues } from '../../contract/environment.ts'
import { PawlError } from '../../contract/exit.ts'
import { packageFile } from '../../installation.ts'
import { stateFolder } from '../../machine/environment.ts'
import { openPrograms, type Programs } from '../../machine/programs.ts'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'
import type { Exit } from '../../ports/shell.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { projectFiles } from './project.ts'
import { script } from './script.ts'

type Variables = Readonly<Record<string, string>>

/** Receives the heading of each act, each command before it runs, and its output. */
export type Audience = {
  act(title: string, about: string): void
  command(words: readonly string[], variables: Variables): void
  output(line: string): void
}

export type Stage = {
  readonly dir: string
  readonly repository: string
  run(words: Words, how?: How): Promise<Exit>
  /** Of the delivery's repository, or of another folder. */
  newestRun(workspace?: string): Promise<StoredRun | undefined>
  /** Holds the runs of its commands. */
  readonly store: RunStore
  /** Ends the processes that its commands and their runs left behind. */
  clear(): Promise<void>
}

type Words = readonly [string, ...string[]]
type How = {
  readonly variables?: Variables
  /** Prints only the last line of output. */
  readonly lastLineOnly?: boolean
}

export type Setting = {
  readonly keep: string | undefined
  /** Use the person's own home, because a real agent needs its login and settings. */
  readonly atHome: boolean
}

/** Creates a folder with a small repository, in which commands run as separate processes. */
export function setStage(machine: Machine, { keep, atHome }: Setting, audience: Audience, stop: AbortSignal): Stage {
  const { environment } = machine
  const programs = openPrograms(environment, environment.cwd)
  const git = findGit(programs)
  const dir = realpathSync(keep === undefined ? mkdtempSync(join(tmpdir(), 'pawl-demo-')) : emptyFolder(keep))
  const repository = join(dir, 'repository')
  // A person's agent may be installed where agents can write, as in the home folder.
  const path = [join(dir, 'bin'), atHome ? (environment.env.PATH ?? '') : programs.path].join(delimiter)
  const own = atHome ? (environment.env as Variables) : isolatedVariables(environment, dir)
  const env: Record<string, string> = { ...own, PATH: path }
  writeProject(dir, repository)
  // The demo itself is not sandboxed. Two quick signals end an interrupted run: the first would let its step finish.
  const shell = createShell({
    secrets: findSecretValues(environment.env),
    isolation: 'off',
    ladder: { termMs: 300, killMs: 12_000 },
  })
  const home = env.HOME ?? environment.home
  const { folder } = environment
  const store = openFilesStore({ workspace: repository, folder, stateFolder: stateFolder(env, home) })

  async function newestRun(workspace = repository): Promise<StoredRun | undefined> {
    const [newest] = await store.list({ workspace, limit: 1 })
    return newest && store.open(newest.address)
  }

  async function run(words: Words, { variables = {}, lastLineOnly = false }: How = {}): Promise<Exit> {
    audience.command(words, variables)
    const lines = splitLines(lastLineOnly ? () => {} : audience.output)
    const exit = await shell.run(
      {
        argv: resolveArgv(words, git),
        cwd: repository,
        env: { ...env, ...(words[0] === 'git' && plainGit), ...variables },
        log: join(dir, 'demo.log'),
        scope: dir,
        onOutput: lines.add,
      },
      stop,
    )
    const last = lines.end()
    if (lastLineOnly && last !== undefined) audience.output(last)
    stop.throwIfAborted()
    return exit
  }

  async function clear(): Promise<void> {
    const runs = await store.list({ workspace: repository })
    for (const scope of [dir, ...runs.map(({ id }) => id)]) await shell.endLeftovers(scope)
  }

  return { dir, repository, run, newestRun, store, clear }
}

function findGit(programs: Programs): string {
  const found = programs.find('git')
  if ('path' in found) return found.path
  throw new PawlError(10, `the demo needs git, but ${found.problem}`, (pawl) => `Install git, then run: ${pawl} demo`)
}

/** Ignores the person's git hooks, signatures and templates. */
const plainGit = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

const program = packageFile('bin/pawl.cjs')

function resolveArgv([name, ...rest]: Words, git: string): Words {
  if (name === 'git') return [git, ...rest]
  if (name === 'pawl') return [process.execPath, program, ...rest]
  // A shell builtin, because minimal systems have no `kill` program.
  return name === 'kill' ? ['/bin/sh', '-c', ['kill', ...rest].join(' ')] : [name, ...rest]
}

function emptyFolder(path: string): string {
  mkdirSync(path, { recursive: true })
  if (readdirSync(path).length > 0) throw new PawlError(2, `${path} is not empty`, 'Give --keep a new or empty folder.')
  return path
}

/** Writes only the files: the git repository is created by commands that the demo shows. */
function writeProject(dir: string, repository: string): void {
  for (const [path, text] of Object.entries(projectFiles)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  for (const folder of ['bin', 'home']) mkdirSync(join(dir, folder))
  // The tests need a Node; the one that runs this program certainly exists.
  symlinkSync(process.execPath, join(dir, 'bin', 'node'))
  writeFileSync(join(dir, 'agent.yml'), script)
}

/** Without the person's settings, identity and runs. */
function isolatedVariables(environment: Environment, dir: string): Record<string, string> {
  const home = join(dir, 'home')
  const { PAWL_SANDBOX } = environment.env
  return buildEnvironment(environment.env, {
    allow: [],
    add: {
      HOME: home,
      XDG_STATE_HOME: join(home, '.local', 'state'),
      XDG_CONFIG_HOME: join(home, '.config'),
      PAWL_AGENT_SCRIPT: join(dir, 'agent.yml'),
      ...(PAWL_SANDBOX !== undefined && { PAWL_SANDBOX }),
    },
  })
}

/** Splits both streams into lines. `end` prints unfinished lines and returns the last line that is not empty. */
function splitLines(print: (line: string) => void) {
  const open = { stdout: '', stderr: '' }
  let last: string | undefined
  const add = (line: string): void => {
    if (line !== '') last = line
    print(line)
  }
  return {
    add(stream: 'stdout' | 'stderr', text: string): void {
      const lines = (open[stream] + text).split('\n')
      open[stream] = lines.pop()!
      for (const line of lines) add(line)
    },
    end(): string | undefined {
      for (const rest of Object.values(open)) if (rest !== '') add(rest)
      return last
    },
  }
}
