import { stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { ConfigShape } from '../contract/config/shape.ts'
import { type ProgramName, programs } from '../contract/programs.ts'
import { readConfigFile } from './config-file.ts'
import { readEnvironment, readFlags } from './env-and-flags.ts'
import { ConfigError } from './problem.ts'
import { resolveSettings, type Settings } from './settings.ts'

/** The part of a machine that loading needs: program, folders, environment and config keys. */
export type SettingsHere = {
  readonly environment: Pick<LoadOptions, 'env' | 'home'> & { readonly program: ProgramName; readonly cwd: string }
  configShape(): Promise<ConfigShape>
}

/** Loads the effective configuration for the current folder. */
export async function loadSettings(
  { environment: { program, cwd, env, home }, configShape }: SettingsHere,
  options: Partial<Pick<LoadOptions, 'flags' | 'procedure'>> = {},
): Promise<Settings> {
  return loadConfig({ shape: await configShape(), workspace: cwd, env, home, name: program, flags: {}, ...options })
}

export type LoadOptions = {
  readonly shape: ConfigShape
  readonly workspace: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly flags: Readonly<Record<string, unknown>>
  readonly procedure?: string
  readonly home: string
  readonly name: ProgramName
}

/** Contract: throws only ConfigError, with all problems of all tiers. */
export async function loadConfig(options: LoadOptions): Promise<Settings> {
  const { shape } = options
  const userPath = userConfigPath(options.env, options.home)
  const shown = await workspaceConfigPath(options.workspace, options.name)
  const user = await readConfigFile(shape, { path: userPath, shown: userPath, tier: 'user' })
  const workspace = await readConfigFile(shape, {
    path: join(options.workspace, shown),
    shown,
    tier: 'workspace',
    userSandbox: user.sandbox ?? 'auto',
  })
  const procedures = [...new Set([...user.procedures, ...workspace.procedures])]
  const chosen = options.procedure === undefined ? [] : [options.procedure]
  const environment = readEnvironment(shape.rules, options.env, [...new Set([...procedures, ...chosen])])
  const flags = readFlags(shape.rules, options.flags)

  const sources = [user, workspace, environment, flags]
  const [first, ...others] = sources.flatMap(({ problems }) => problems)
  if (first) throw new ConfigError([first, ...others])

  const files = [...user.claims, ...workspace.claims]
  return resolveSettings({
    shape,
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

function userConfigPath(env: LoadOptions['env'], home: string): string {
  const base = env.XDG_CONFIG_HOME
  // The XDG specification says to ignore a relative path.
  return join(base && isAbsolute(base) ? base : join(home, '.config'), 'pawl', 'config.yml')
}

async function workspaceConfigPath(workspace: string, name: ProgramName): Promise<string> {
  const isPawl = programs[name].folder === programs.pawl.folder
  const isRooda = name === 'rooda' || (isPawl && !(await isFolder(join(workspace, programs.pawl.folder))))
  return `${programs[isRooda ? 'rooda' : 'pawl'].folder}/config.yml`
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
