import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

export type Name = 'pawl' | 'rooda' | 'santiago' | 'agentic'

/** Where this person and this machine are: what every command starts from. */
export type Place = {
  readonly name: Name
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
  readonly home: string
}

export const placeOf = (name: Name): Place => ({
  name,
  cwd: process.cwd(),
  env: process.env,
  home: process.env.HOME || homedir(),
})

/** Index, trust and keys of this person. */
export function stateDir({ env, home }: Place): string {
  const base = env.XDG_STATE_HOME
  return join(base && isAbsolute(base) ? base : join(home, '.local', 'state'), 'pawl')
}

/** The seeds' names keep their own folder in a workspace. */
export const workspaceFolder = ({ name }: Place): string =>
  name === 'rooda' ? '.rooda' : name === 'agentic' ? '.agentic' : '.pawl'

export const runsDir = (place: Place): string => join(place.cwd, workspaceFolder(place), 'runs')
