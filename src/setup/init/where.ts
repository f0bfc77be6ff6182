import { lstatSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findGitRoot } from '../../config/repository/repository.ts'
import { PawlError } from '../../contract/exit.ts'
import { type ProgramName, programs } from '../../contract/programs.ts'
import type { Environment } from '../../run/machine.ts'

export type Where = {
  /** The new workspace: the repository's root, or this folder if it is in no repository. */
  readonly root: string
  /** `.pawl` or `.rooda`. */
  readonly folder: string
  readonly inGit: boolean
}

/** Decides where to write. `from` is the person's current folder. Throws if a configuration already exists there. */
export function chooseWhere(environment: Environment, from: string): Where {
  const { program, cwd, home } = environment
  const found = findGitRoot(from, home)
  // A workspace above the repository does not count; one inside it, or above a folder without a repository, does.
  const near = found === undefined || isInside(cwd, found)
  if (near) refuseExisting(environment, cwd)
  const root = found ?? cwd
  refuseExisting(environment, root)
  return { root, folder: configFolder(program), inGit: found !== undefined }
}

/** Throws if a file to be written exists already, or if its folder is a symlink or a file. */
export function refuseInTheWay(root: string, paths: readonly string[]): void {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  const blocked = folders.find((path) => kindAt(join(root, path)) === 'other')
  if (blocked) {
    throw new PawlError(10, `${blocked} is not a folder: nothing was written`, `Move ${blocked} away, then try again.`)
  }
  const existing = paths.filter((path) => kindAt(join(root, path)) !== 'none')
  if (existing.length === 0) return
  const verb = existing.length === 1 ? 'exists' : 'exist'
  const message = `${existing.join(', ')} already ${verb}: nothing was written`
  throw new PawlError(10, message, `Move ${existing.length === 1 ? 'it' : 'them'} away, then try again.`)
}

/** Looks where the configuration would be read from: without a .pawl folder, pawl reads .rooda. */
function refuseExisting({ program }: Environment, root: string): void {
  const readsRooda = program === 'pawl' && kindAt(join(root, programs.pawl.folder)) === 'none'
  const own = readsRooda ? programs.rooda.folder : configFolder(program)
  const path = join(root, own, 'config.yml')
  if (kindAt(path) === 'none') return
  const hint = `To see its settings: ${program} config. To use it: ${program} run <procedure>`
  throw new PawlError(10, `${path} already exists: nothing was written`, hint)
}

/** Only rooda has a configuration of its own. */
const configFolder = (program: ProgramName): string => programs[program === 'rooda' ? 'rooda' : 'pawl'].folder

const isInside = (folder: string, root: string): boolean => !relative(root, folder).startsWith('..')

function kindAt(path: string): 'none' | 'folder' | 'other' {
  try {
    return lstatSync(path).isDirectory() ? 'folder' : 'other'
  } catch (error) {
    // Nothing can be below a file.
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return 'none'
    throw new PawlError(30, `cannot read ${path}: ${(error as Error).message}`, 'Make it readable, then try again.')
  }
}
