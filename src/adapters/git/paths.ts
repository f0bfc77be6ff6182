import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/** The folder in which git keeps what belongs to this work tree alone, found without asking git. */
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

/** The work tree that a folder lies in, as git would find it. */
export function findRepositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at
    if (at === dirname(at)) return undefined
  }
}

/** Names need not be text: paths are kept as git gives them, byte for byte, in latin1. */
export const toText = (path: string): string => Buffer.from(path, 'latin1').toString('utf8')

export const inside = (root: string, path: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')])

/** What runs keep beside the work is no work, also where git is not told to ignore it. */
export const isOwn = (path: string): boolean => own.test(path)
const own = /(?:^|\/)\.(?:pawl|rooda|agentic)\/(?:runs|state)\//
