import { accessSync, constants, lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path'

export type ProgramSearch = {
  /** Folders as in the variable PATH. Empty and relative ones mean the current folder and are never used. */
  readonly path: string
  /** Folders that agents can write. They need not exist. */
  readonly writable: readonly string[]
}

/** `refused` is the first program of that name that was found but may not be used. */
export type FoundProgram = { readonly path: string } | { readonly problem: string; readonly refused?: string }

/**
 * Finds a program to start outside the sandbox: the first on PATH that no agent can have written. The folder of the
 * returned path is resolved, but the name is kept, because some programs act by the name they are called by.
 */
export function findSafeProgram(name: string, { path, writable }: ProgramSearch): FoundProgram {
  const roots = withRealPaths(writable)
  const found = listFolders(path).flatMap((folder) => toExecutable(join(folder, name)))
  const safe = found.find((program) => isSafeProgram(program, roots))
  if (safe !== undefined) return { path: join(realpathSync(dirname(safe)), basename(safe)) }
  const [refused] = found
  if (refused === undefined) return { problem: `${name} is not on PATH` }
  return { problem: `${refused} is not used: an agent or another user could have written it`, refused }
}

/** Returns PATH without the folders that agents can write. For processes that run outside the sandbox. */
export function cleanPath({ path, writable }: ProgramSearch): string {
  const roots = withRealPaths(writable)
  const safe = listFolders(path).filter((folder) => isSafeFolder(folder, roots))
  return (safe.length > 0 ? safe : systemFolders).join(delimiter)
}

/** Returns whether a path, or the file it leads to, is in one of these folders. */
export function isWithin(path: string, folders: readonly string[]): boolean {
  return withRealPaths([path]).some((one) => isInside(one, withRealPaths(folders)))
}

const systemFolders = ['/usr/bin', '/bin']
const maxLinks = 40

const listFolders = (path: string): string[] => path.split(delimiter).filter((folder) => isAbsolute(folder))

/** Follows the links of the file one by one: each must be in a safe place, not only the last. */
function isSafeProgram(program: string, roots: readonly string[]): boolean {
  try {
    for (let [at, links] = [program, 0]; links < maxLinks; links += 1) {
      if (!isSafeFolder(dirname(at), roots)) return false
      const here = join(realpathSync(dirname(at)), basename(at))
      const found = lstatSync(here)
      if (!found.isSymbolicLink()) return !isInside(here, roots) && (found.mode & 0o022) === 0
      at = resolve(dirname(here), readlinkSync(here))
    }
  } catch {}
  return false
}

/** Anyone may replace the entries of a folder that everyone can write, unless it is sticky. */
function isSafeFolder(folder: string, roots: readonly string[]): boolean {
  try {
    const real = realpathSync(folder)
    if (isInside(folder, roots) || isInside(real, roots)) return false
    for (let at = real; ; at = dirname(at)) {
      const { mode } = statSync(at)
      if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0) return false
      if (at === dirname(at)) return true
    }
  } catch {
    return false
  }
}

function isInside(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`))
}

function withRealPaths(paths: readonly string[]): string[] {
  return paths.flatMap((path) => {
    try {
      return [path, realpathSync(path)]
    } catch {
      return [path]
    }
  })
}

function toExecutable(path: string): string[] {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile() ? [path] : []
  } catch {
    return []
  }
}
