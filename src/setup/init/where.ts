import { lstatSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { findGitRoot } from '../../config/repository/repository.ts'
import { PawlError } from '../../contract/exit.ts'
import { type ProgramName, programs } from '../../contract/programs.ts'
import type { Environment } from '../../run/machine.ts'

export type Where = {
  /** The workspace to be: the repository's root, or this folder where there is none. */
  readonly root: string
  /** `.pawl` or `.rooda`. */
  readonly folder: string
  readonly inGit: boolean
}

/** Decides where to write, `from` being the folder the person stands in. Throws where a configuration holds already. */
export function chooseWhere(environment: Environment, from: string): Where {
  const { program, cwd, home } = environment
  const found = findGitRoot(from, home)
  // A workspace above the repository is not this repository's; one inside it, or around a plain folder, is.
  const near = found === undefined || isInside(cwd, found)
  if (near) refuseExisting(environment, cwd)
  const root = found ?? cwd
  refuseExisting(environment, root)
  return { root, folder: configFolder(program), inGit: found !== undefined }
}

/** Nothing is overwritten and no link is followed out of the repository. */
export function refuseInTheWay(root: string, paths: readonly string[]): void {
  const folders = [...new Set(paths.map((path) => dirname(path)))]
  const blocked = folders.find((path) => kindAt(join(root, path)) === 'other')
  if (blocked) throw new PawlError(10, `${blocked} is not a folder: nothing was written`, 'Move it away first.')
  const there = paths.filter((path) => kindAt(join(root, path)) !== 'none')
  if (there.length === 0) return
  const what = `${there.join(', ')} ${there.length === 1 ? 'is' : 'are'} there already: nothing was written`
  throw new PawlError(10, what, 'Move what is there away first, then the same command again.')
}

/** As the configuration is read: where there is no .pawl folder, pawl reads .rooda. */
function refuseExisting({ program }: Environment, root: string): void {
  const readsRooda = program === 'pawl' && kindAt(join(root, programs.pawl.folder)) === 'none'
  const own = readsRooda ? programs.rooda.folder : configFolder(program)
  const path = join(root, own, 'config.yml')
  if (kindAt(path) === 'none') return
  const hint = `To see what it says: ${program} config. To run it: ${program} run <procedure>`
  throw new PawlError(10, `${path} is there already: nothing was written`, hint)
}

/** Only rooda has a configuration of its own. */
const configFolder = (program: ProgramName): string => programs[program === 'rooda' ? 'rooda' : 'pawl'].folder

const isInside = (folder: string, root: string): boolean => !relative(root, folder).startsWith('..')

function kindAt(path: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 'none'
  return found.isDirectory() ? 'folder' : 'other'
}
