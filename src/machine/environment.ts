import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { type ProgramName, programs } from '../contract/programs.ts'
import type { Environment } from '../run/machine.ts'

/** Who asks, and from where, as this process was started. */
export function readEnvironment(program: ProgramName): Environment {
  const { env } = process
  const home = env.HOME || homedir()
  const cwd = findWorkspace(process.cwd(), home)
  return { program, cwd, env, home, folder: programs[program].folder, stateFolder: stateFolder(env, home) }
}

/** As git does: a folder inside a workspace means that workspace. A person's home is none by itself. */
function findWorkspace(cwd: string, home: string): string {
  const marks = [programs.pawl.folder, programs.rooda.folder]
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isMarked = marks.some((name) => existsSync(join(folder, name, 'config.yml')))
    if (isMarked && (folder === cwd || folder !== home)) return folder
    if (folder === dirname(folder)) return cwd
  }
}

/** Index, trust and keys of this person. */
export function stateFolder(env: Environment['env'], home: string): string {
  const base = env.XDG_STATE_HOME
  return join(base && isAbsolute(base) ? base : join(home, '.local', 'state'), 'pawl')
}
