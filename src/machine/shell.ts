import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { confineRun } from '../adapters/shell/confine-run.ts'
import { agentFolders } from '../adapters/shell/home-paths.ts'
import { createShell } from '../adapters/shell/shell.ts'
import { PawlError } from '../contract/exit.ts'
import { workspaceFolders } from '../contract/programs.ts'
import type { Environment, RunShell, ShellOptions } from '../run/machine.ts'

/** Shorter timeouts than for agents, for notification commands. */
const shortTimeouts = { ladder: { termMs: 200, killMs: 500 }, graceMs: 200 }

/** Opens the shell of a run: masked, supervised, and confined if this machine supports it. */
export async function openShell(environment: Environment, options: ShellOptions): Promise<RunShell> {
  const { sandbox, secrets, kill, mark: runMark, agents } = options
  const times = options.impatient ? shortTimeouts : {}
  if (sandbox === 'off') return createShell({ secrets, isolation: 'off', kill, runMark, ...times })
  if (options.unconfined) return createShell({ secrets, isolation: 'auto', kill, runMark, ...times })
  const { env, home } = environment
  makeFolders(agents.flatMap(({ argv }) => agentFolders(basename(argv[0]), home, env)))
  const confine = confineRun({
    workspace: options.workspace,
    stateFolders: [environment.folder, ...workspaceFolders.filter((name) => name !== environment.folder)],
    runFolder: options.folder,
    handOver: join(options.folder, 'hand-over'),
    personFolder: environment.stateFolder,
    home,
    env,
  })
  const shell = createShell({ secrets, isolation: 'auto', kill, confine, runMark, ...times })
  if (sandbox === 'required' && (await shell.confinement()) === 'none') {
    throw new PawlError(10, 'sandbox: required, but bubblewrap does not work here', 'To see why: pawl doctor')
  }
  return shell
}

/** Ignores errors: the agent itself reports a folder that it cannot use. */
function makeFolders(folders: readonly string[]): void {
  try {
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {}
}
