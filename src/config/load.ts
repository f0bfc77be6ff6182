import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { readConfigFile } from './config-file.ts'
import { ConfigError } from './problem.ts'
import { type ProgramName, type Settings, settingsOf } from './settings.ts'
import { readEnvironment, readFlags } from './spoken.ts'

export type LoadOptions = {
  readonly workspace: string
  readonly env: NodeJS.ProcessEnv
  readonly flags: Readonly<Record<string, unknown>>
  readonly procedure?: string
  readonly home: string
  readonly name: ProgramName
}

/** Contract: throws nothing but ConfigError, and that with every problem of every tier. */
export async function loadConfig(options: LoadOptions): Promise<Settings> {
  const userPath = userConfigPath(options.env, options.home)
  const shown = await workspaceConfigPath(options.workspace, options.name)
  const user = await readConfigFile({ path: userPath, shown: userPath, tier: 'user' })
  const workspace = await readConfigFile({
    path: join(options.workspace, shown),
    shown,
    tier: 'workspace',
    leastSandbox: user.sandbox ?? 'auto',
  })
  const procedures = [...new Set([...user.procedures, ...workspace.procedures])]
  const chosen = options.procedure === undefined ? [] : [options.procedure]
  const environment = readEnvironment(options.env, [...new Set([...procedures, ...chosen])])
  const flags = readFlags(options.flags)

  const sources = [user, workspace, environment, flags]
  const [first, ...others] = sources.flatMap(({ problems }) => problems)
  if (first) throw new ConfigError([first, ...others])

  const files = [...user.claims, ...workspace.claims]
  return settingsOf({
    name: options.name,
    procedure: options.procedure ?? null,
    procedures,
    warnings: sources.flatMap(({ warnings }) => warnings),
    claims: [
      ...files.filter(({ procedure }) => procedure === null),
      ...files.filter(({ procedure }) => procedure !== null),
      ...environment.claims,
      ...flags.claims,
    ],
  })
}

function userConfigPath(env: NodeJS.ProcessEnv, home: string): string {
  const base = env.XDG_CONFIG_HOME
  // The XDG specification: a relative path is to be ignored.
  return join(base && isAbsolute(base) ? base : join(home, '.config'), 'pawl', 'config.yml')
}

async function workspaceConfigPath(workspace: string, name: ProgramName): Promise<string> {
  const folder =
    name === 'rooda' || (name === 'pawl' && !(await isFolder(join(workspace, '.pawl')))) ? '.rooda' : '.pawl'
  return `${folder}/config.yml`
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
