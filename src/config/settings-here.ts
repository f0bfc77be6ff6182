import type { Place } from '../run/paths.ts'
import { type LoadOptions, loadConfig } from './load.ts'
import type { Settings } from './settings.ts'

/** The configuration as it is in force at a place. */
export function settingsHere(
  { name, cwd: workspace, env, home }: Place,
  options: Partial<Pick<LoadOptions, 'flags' | 'procedure'>> = {},
): Promise<Settings> {
  return loadConfig({ workspace, env, home, name: name === 'santiago' ? 'pawl' : name, flags: {}, ...options })
}
