import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { confineRun } from '../adapters/shell/confine-run.ts'
import { agentFolders } from '../adapters/shell/home-paths.ts'
import { secretValues } from '../adapters/shell/output/env.ts'
import { createShell, type SupervisingShell } from '../adapters/shell/shell.ts'
import { PawlError } from '../contract/exit.ts'
import type { FrozenAgent, RunRequest } from '../contract/request.ts'
import { type Place, stateDir, workspaceFolder } from '../run/paths.ts'

export type ShellPlace = {
  readonly place: Place
  readonly dir: string
  readonly kill: AbortSignal
  /** Whose own folders they may write. */
  readonly agents: readonly FrozenAgent[]
  /** Whoever names runs may name two of them alike, in other folders: this is of one alone. */
  readonly runMark: string
}

/** The shell of a run: masked, supervised, and held to what its commands may write where this machine can do that. */
export async function openShell(request: RunRequest, shellPlace: ShellPlace): Promise<SupervisingShell> {
  const { place, dir, kill, runMark, agents } = shellPlace
  const { env, home } = place
  const secrets = secretsOf(request, place)
  if (request.sandbox === 'off') return createShell({ secrets, isolation: 'off', kill, runMark })
  makeFolders(agents.flatMap(({ argv }) => agentFolders(basename(argv[0]), home, env)))
  const confine = confineRun({
    workspace: request.workspace,
    stateFolders: [workspaceFolder(place), ...stateFolders.filter((name) => name !== workspaceFolder(place))],
    runFolder: dir,
    handOver: join(dir, 'hand-over'),
    personFolder: stateDir(place),
    home,
    env,
  })
  const shell = createShell({ secrets, isolation: 'auto', kill, confine, runMark })
  if (request.sandbox === 'required' && (await shell.confinement()) === 'none') {
    throw new PawlError(10, 'sandbox: required, but bubblewrap does not work here', 'To see why: pawl doctor')
  }
  return shell
}

/** Values that are masked wherever output of this run is stored. */
export const secretsOf = (request: RunRequest, { env }: Place): string[] => [
  ...secretValues(env),
  ...request.secrets.flatMap((name) => env[name] ?? []),
]

/** Where they cannot be made, the agent will say so itself. */
function makeFolders(folders: readonly string[]): void {
  try {
    for (const folder of folders) mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch {}
}

const stateFolders = ['.pawl', '.rooda', '.agentic']
