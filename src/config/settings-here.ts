import type { ConfigShape } from '../contract/config/shape.ts'
import type { ProgramName } from '../contract/programs.ts'
import { type LoadOptions, loadConfig } from './load.ts'
import type { Settings } from './settings.ts'

/** Who asks, from where, and which keys there are: what a machine knows of this. */
export type Here = {
  readonly environment: Pick<LoadOptions, 'env' | 'home'> & { readonly program: ProgramName; readonly cwd: string }
  configShape(): Promise<ConfigShape>
}

/** The configuration as it is in force at a place. */
export async function settingsHere(
  { environment: { program, cwd, env, home }, configShape }: Here,
  options: Partial<Pick<LoadOptions, 'flags' | 'procedure'>> = {},
): Promise<Settings> {
  return loadConfig({ shape: await configShape(), workspace: cwd, env, home, name: program, flags: {}, ...options })
}
