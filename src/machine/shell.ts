import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { confineRun } from '../adapters/shell/confine-run.ts'
import { agentFolders, cacheFolders, cachePaths, type EmptyFile, emptySettings } from '../adapters/shell/home-paths.ts'
import { createShell } from '../adapters/shell/shell.ts'
import { PawlError } from '../contract/exit.ts'
import { workspaceFolders } from '../contract/programs.ts'
import type { Environment, RunShell, ShellOptions } from '../run/machine.ts'
import { describeProblem, openPrograms } from './programs.ts'

/** Shorter timeouts than for agents, for notification commands. */
const shortTimeouts = { ladder: { termMs: 200, killMs: 500 }, graceMs: 200 }

/** Opens the shell of a run: masked, supervised, and confined if this machine supports it. */
export async function openShell(environment: Environment, options: ShellOptions): Promise<RunShell> {
  const { sandbox, secrets, kill, mark: runMark, agents } = options
  const times = options.impatient ? shortTimeouts : {}
  const programs = openPrograms(environment, options.workspace || environment.cwd)
  const common = { secrets, kill, runMark, bubblewrap: programs.bubblewrap, ...times }
  if (options.unconfined) {
    const shell = createShell({ ...common, isolation: sandbox === 'off' ? 'off' : 'auto' })
    // Without a workspace no agent writes anything that PATH could name.
    return options.workspace === '' ? shell : withPath(shell, programs.path)
  }
  if (sandbox === 'off') return createShell({ ...common, isolation: 'off' })
  const { env, home } = environment
  const started = agents.flatMap(({ argv }) => agentFolders(basename(argv[0]), home, env))
  const has = (name: string): boolean => existsSync(join(options.workspace, name))
  makeFolders([environment.stateFolder, ...started, ...cacheFolders(home, env, has)])
  if (programs.bubblewrap !== null) for (const file of emptySettings(home, env)) makeFile(file)
  const confine = options.inRoom
    ? confineRoom(options, cachePaths(home, env))
    : confineRun({
        workspace: options.workspace,
        stateFolders: [environment.folder, ...workspaceFolders.filter((name) => name !== environment.folder)],
        runFolder: options.folder,
        handOver: join(options.folder, 'hand-over'),
        personFolder: environment.stateFolder,
        home,
        env,
      })
  const shell = createShell({ ...common, isolation: 'auto', confine })
  if (sandbox === 'required' && (await shell.confinement()) === 'none') {
    const found = programs.find('bwrap')
    const why = 'problem' in found ? describeProblem('bubblewrap', found) : 'bubblewrap does not work here'
    throw new PawlError(10, `sandbox: required, but ${why}`, (pawl) => `To see why: ${pawl} doctor`)
  }
  return shell
}

/** The folders that a run protects are not in its room. Where nothing can be mounted, commands run in a copy in `uses`. */
const confineRoom = ({ workspace, folder }: ShellOptions, caches: readonly string[]) => ({
  writable: [realpathSync(workspace), join(folder, 'room', 'uses'), ...caches],
  protectedFolders: [],
  protectedFiles: [],
})

/** Outside the sandbox, no command finds a program in a folder that agents can write. */
function withPath(shell: RunShell, path: string): RunShell {
  return { ...shell, run: (command, signal) => shell.run({ ...command, env: { ...command.env, PATH: path } }, signal) }
}

/** Ignores errors: the agent itself reports a folder that it cannot use. */
function makeFolders(folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
    } catch {}
  }
}

/** Ignores errors: without the file, what a command creates there is moved aside when it ends. */
function makeFile({ folder, path, text }: EmptyFile): void {
  try {
    if (existsSync(folder)) writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch {}
}
