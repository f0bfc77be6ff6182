import { existsSync, lstatSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { PawlError } from '../../contract/exit.ts'
import type { Place } from '../../run/paths.ts'

export type Where = {
  /** The workspace to be: the repository's root, or this folder where there is none. */
  readonly root: string
  /** `.pawl` or `.rooda`. */
  readonly folder: string
  readonly inGit: boolean
}

/** Decides where to write, `from` being the folder the person stands in. Throws where a configuration holds already. */
export function whereToWrite(place: Place, from: string): Where {
  const found = gitRoot(from, place.home)
  // A workspace above the repository is not this repository's; one inside it, or around a plain folder, is.
  const near = found === undefined || isInside(place.cwd, found)
  if (near) refuseExisting(place, place.cwd)
  const root = found ?? place.cwd
  refuseExisting(place, root)
  return { root, folder: place.name === 'rooda' ? '.rooda' : '.pawl', inGit: found !== undefined }
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
function refuseExisting({ name }: Place, root: string): void {
  const own = name === 'rooda' || (name === 'pawl' && kindAt(join(root, '.pawl')) === 'none') ? '.rooda' : '.pawl'
  const path = join(root, own, 'config.yml')
  if (kindAt(path) === 'none') return
  const hint = `To see what it says: ${name} config. To run it: ${name} run <procedure>`
  throw new PawlError(10, `${path} is there already: nothing was written`, hint)
}

/** A home that is kept in git as a whole is not the repository of the folders in it. */
export function gitRoot(from: string, home: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git')) && (folder === from || folder !== home)) return folder
    if (folder === dirname(folder)) return undefined
  }
}

const isInside = (folder: string, root: string): boolean => !relative(root, folder).startsWith('..')

function kindAt(path: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return 'none'
  return found.isDirectory() ? 'folder' : 'other'
}
