import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * Where a path that seems to lie in this repository really leads, if that is outside of it. Whoever made the repository also made its links:
 * a README that is a link to a key is not what a person meant to send to a model, or to have written over.
 */
export function leadsOutside(path: string, folder: string): string | undefined {
  const root = repositoryOf(folder)
  const [real, realRoot] = [realPath(path), realPath(root)]
  if (real === undefined || realRoot === undefined || !isInside(path, root)) return undefined
  return isInside(real, realRoot) ? undefined : real
}

/** The folder itself, where it belongs to none. */
function repositoryOf(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return folder
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`)
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}
