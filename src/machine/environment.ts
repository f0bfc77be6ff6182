import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { type ProgramName, programs } from '../contract/programs.ts'
import type { Environment } from '../run/machine.ts'

/** Reads the program name, folders and variables that this process was started with. */
export function readEnvironment(program: ProgramName): Environment {
  const { env } = process
  const home = env.HOME || homedir()
  const cwd = findWorkspace(process.cwd(), home)
  return { program, cwd, env, home, folder: programs[program].folder, stateFolder: stateFolder(env, home) }
}

/**
 * Searches upwards for a folder with a config, up to the root of the repository: a config above it belongs to something else. The
 * home folder counts only if it is the current folder.
 */
function findWorkspace(cwd: string, home: string): string {
  const marks = [programs.pawl.folder, programs.rooda.folder]
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isMarked = marks.some((name) => existsSync(join(folder, name, 'config.yml')))
    if (isMarked && (folder === cwd || folder !== home)) return folder
    if (folder === dirname(folder) || existsSync(join(folder, '.git'))) return cwd
  }
}

/** Returns the folder with this user's index, trust and keys. */
export function stateFolder(env: Environment['env'], home: string): string {
  const base = env.XDG_STATE_HOME
  return join(base && isAbsolute(base) ? base : join(home, '.local', 'state'), 'pawl')
}
