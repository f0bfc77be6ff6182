import { mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createShell } from '../../adapters/shell/shell.ts'
import { openFilesStore } from '../../adapters/stores/files/store.ts'
import { buildEnvironment, findSecretValues } from '../../contract/environment.ts'
import { PawlError } from '../../contract/exit.ts'
import { packageFile } from '../../installation.ts'
import { stateFolder } from '../../machine/environment.ts'
import type { RunStore, StoredRun } from '../../ports/run-store.ts'
import type { Exit } from '../../ports/shell.ts'
import type { Environment, Machine } from '../../run/machine.ts'
import { projectFiles } from './project.ts'
import { script } from './script.ts'

type Variables = Readonly<Record<string, string>>

/** Whoever watches: what is about to be shown, each command before it runs, and what it says. */
export type Audience = {
  act(title: string, about: string): void
  command(words: readonly string[], variables: Variables): void
  output(line: string): void
}

export type Stage = {
  readonly dir: string
  readonly repository: string
  run(words: Words, how?: How): Promise<Exit>
  newestRun(): Promise<StoredRun | undefined>
  /** Where the runs of its commands are. */
  readonly store: RunStore
  /** Ends what is still there of its commands and of their runs. */
  clear(): Promise<void>
}

type Words = readonly [string, ...string[]]
type How = {
  readonly variables?: Variables
  /** Where the first lines have been seen already: only the last one is shown. */
  readonly lastLineOnly?: boolean
}

export type Setting = {
  readonly keep: string | undefined
  /** A real agent needs its login and settings, and so the person's own home. */
  readonly atHome: boolean
}

/** A folder with a small repository, and commands that run in it, each as a process of its own. */
export function setStage(machine: Machine, { keep, atHome }: Setting, audience: Audience, stop: AbortSignal): Stage {
  const { environment } = machine
  if (!machine.findProgram('git', environment.cwd)) {
    throw new PawlError(10, 'the demo needs git, and found none on PATH', 'Install git, then again: pawl demo')
  }
  const dir = realpathSync(keep === undefined ? mkdtempSync(join(tmpdir(), 'pawl-demo-')) : emptyFolder(keep))
  const repository = join(dir, 'repository')
  const env = atHome ? ownVariables(environment, dir) : strangeVariables(environment, dir)
  layOut(dir, repository)
  // The demo is not confined itself. An interrupted one ends soon: the first signal lets a run finish, the second does not.
  const shell = createShell({
    secrets: findSecretValues(environment.env),
    isolation: 'off',
    ladder: { termMs: 300, killMs: 12_000 },
  })
  const home = env.HOME ?? environment.home
  const { folder } = environment
  const store = openFilesStore({ workspace: repository, folder, stateFolder: stateFolder(env, home) })

  async function newestRun(): Promise<StoredRun | undefined> {
    const [newest] = await store.list({ workspace: repository, limit: 1 })
    return newest && store.open(newest.address)
  }

  async function run(words: Words, { variables = {}, lastLineOnly = false }: How = {}): Promise<Exit> {
    audience.command(words, variables)
    const lines = linesTo(lastLineOnly ? () => {} : audience.output)
    const exit = await shell.run(
      {
        argv: resolveArgv(words),
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

/** Without anybody's hooks, signatures and templates. */
const plainGit = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

const program = packageFile('bin/pawl.cjs')

function resolveArgv([name, ...rest]: Words): Words {
  if (name === 'pawl') return [process.execPath, program, ...rest]
  // A word of the shell: small machines have no program of this name.
  return name === 'kill' ? ['sh', '-c', ['kill', ...rest].join(' ')] : [name, ...rest]
}

function emptyFolder(path: string): string {
  mkdirSync(path, { recursive: true })
  if (readdirSync(path).length > 0) throw new PawlError(2, `${path} is not empty`, 'Give --keep a folder of its own.')
  return path
}

/** Files only: the repository itself is made before the audience's eyes. */
function layOut(dir: string, repository: string): void {
  for (const [path, text] of Object.entries(projectFiles)) {
    mkdirSync(dirname(join(repository, path)), { recursive: true })
    writeFileSync(join(repository, path), text)
  }
  for (const folder of ['bin', 'home']) mkdirSync(join(dir, folder))
  // Its tests need a Node, and the one that runs this is there for sure.
  symlinkSync(process.execPath, join(dir, 'bin', 'node'))
  writeFileSync(join(dir, 'agent.yml'), script)
}

const pathWith = ({ env }: Environment, dir: string): string => [join(dir, 'bin'), env.PATH ?? ''].join(delimiter)

const ownVariables = (environment: Environment, dir: string): Record<string, string> => ({
  ...(environment.env as Record<string, string>),
  PATH: pathWith(environment, dir),
})

/** Nothing of this person's: no settings, no identity, no runs. */
function strangeVariables(environment: Environment, dir: string): Record<string, string> {
  const home = join(dir, 'home')
  const { PAWL_SANDBOX } = environment.env
  return buildEnvironment(environment.env, {
    allow: [],
    add: {
      PATH: pathWith(environment, dir),
      HOME: home,
      XDG_STATE_HOME: join(home, '.local', 'state'),
      XDG_CONFIG_HOME: join(home, '.config'),
      PAWL_AGENT_SCRIPT: join(dir, 'agent.yml'),
      ...(PAWL_SANDBOX !== undefined && { PAWL_SANDBOX }),
    },
  })
}

/** Whole lines of both streams, as they come; at the end what had no line break, and the last of them. */
function linesTo(say: (line: string) => void) {
  const open = { stdout: '', stderr: '' }
  let last: string | undefined
  const tell = (line: string): void => {
    if (line !== '') last = line
    say(line)
  }
  return {
    add(stream: 'stdout' | 'stderr', text: string): void {
      const lines = (open[stream] + text).split('\n')
      open[stream] = lines.pop()!
      for (const line of lines) tell(line)
    },
    end(): string | undefined {
      for (const rest of Object.values(open)) if (rest !== '') tell(rest)
      return last
    },
  }
}
