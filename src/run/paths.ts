import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'

export type Name = 'pawl' | 'rooda' | 'santiago' | 'agentic'

/** Where this person and this machine are: what every command starts from. `cwd` is the workspace. */
export type Place = {
  readonly name: Name
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
}

export function placeOf(name: Name): Place {
  const home = process.env.HOME || homedir()
  return { name, cwd: workspaceAt(process.cwd(), home), env: process.env, home }
}

/** As git does: a folder inside a workspace means that workspace. A person's home is none by itself. */
function workspaceAt(cwd: string, home: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const marked = ['.pawl', '.rooda'].some((name) => existsSync(join(folder, name, 'config.yml')))
    if (marked && (folder === cwd || folder !== home)) return folder
    if (folder === dirname(folder)) return cwd
  }
}

/** Index, trust and keys of this person. */
export function stateDir({ env, home }: Pick<Place, 'env' | 'home'>): string {
  const base = env.XDG_STATE_HOME
  return join(base && isAbsolute(base) ? base : join(home, '.local', 'state'), 'pawl')
}

/** The seeds' names keep their own folder in a workspace. */
export const workspaceFolder = ({ name }: Place): string =>
  name === 'rooda' ? '.rooda' : name === 'agentic' ? '.agentic' : '.pawl'

export const runsDir = (place: Place): string => join(place.cwd, workspaceFolder(place), 'runs')
