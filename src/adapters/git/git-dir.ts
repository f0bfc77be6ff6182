import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The folder in which git keeps what belongs to this work tree alone, found without asking git. */
export function findGitDir(folder: string): string | undefined {
  const root = workTreeOf(folder)
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

/** The work tree that a folder lies in, as git would find it. */
export function workTreeOf(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}
