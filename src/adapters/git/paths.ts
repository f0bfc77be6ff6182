import { existsSync, lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** Returns the git folder of this work tree (its HEAD and index are there), without asking git. */
export function findGitDir(folder: string): string | undefined {
  const root = findRepositoryRoot(folder)
  if (root === undefined) return undefined
  const path = join(root, '.git')
  try {
    if (statSync(path).isDirectory()) return path
    const target = /^gitdir: (.+)$/m.exec(readFileSync(path, 'utf8').slice(0, 8192))?.[1]
    return target === undefined ? undefined : resolve(root, target)
  } catch {
    return undefined
  }
}

/** Returns the folder that all work trees of a repository share: config, objects and branches are there. */
export function findCommonDir(gitDir: string): string {
  try {
    return resolve(gitDir, readFileSync(join(gitDir, 'commondir'), 'utf8').trim())
  } catch {
    return gitDir
  }
}

/** Returns the branch that is checked out, without asking git. Undefined if detached, or if only git can tell. */
export function readBranch(gitDir: string): string | undefined {
  try {
    const path = join(gitDir, 'HEAD')
    if (!lstatSync(path).isFile()) return undefined
    const branch = /^ref: refs\/heads\/([^\n]+)\n?$/.exec(readFileSync(path, 'utf8').slice(0, 8192))?.[1]
    // A repository with another ref format has a stub here.
    return branch === '.invalid' ? undefined : branch
  } catch {
    return undefined
  }
}

/** Returns the root of the work tree that contains this folder, as git would find it. */
export function findRepositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

/** File names need not be valid text. Paths are held byte for byte as git prints them, in latin1. */
export const toText = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')
export const toBytes = (path: string): string => Buffer.from(path, 'utf8').toString('latin1')

export const inside = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])

/** True for a path from the root that stays in the work tree and names nothing of git's own. */
export const isInside = (path: string): boolean =>
  !path.includes('\0') && !path.split('/').some((part) => ['', '.', '..', '.git'].includes(part.toLowerCase()))

/** Lists the folders above a path, from the top. */
export const listAbove = (path: string): string[] =>
  path.split('/').flatMap((_, at, parts) => (at === 0 ? [] : [parts.slice(0, at).join('/')]))

/** Undefined if there is nothing, also where a file is in the place of a folder. Does not follow a symlink at the path itself. */
export function findStats(root: string, path: string): Stats | undefined {
  try {
    return lstatSync(inside(root, path), { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Files of our own runs are never work, even where git does not ignore them. */
export const isOwn = (path: string): boolean => own.test(path)
const own = /(?:^|\/)\.(?:pawl|rooda|agentic)\/(?:runs|state)\//
