import { createHash, type Hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Look } from '../../ports/repository.ts'
import { type Git, type GitOptions, openGit } from './git.ts'
import { inside, textOf } from './names.ts'
import { createStamper } from './stamp.ts'
import { type Entry, parseStatus, statusArgs } from './status.ts'
import { walkFolder } from './walk.ts'

const mostNested = 100
const deepest = 4

/**
 * One git process tells what is not as HEAD has it; the files themselves tell what they are like now. Repositories
 * inside this one are looked at in the same way, since git says of them at most that something has changed.
 */
export async function lookAt(root: string, options: GitOptions, depth = 0): Promise<Look> {
  const git = await openGit(root, options)
  const output = await git.ask(...statusArgs)
  if (!output) return walkFolder(root, options.deadline)
  const { head, branch, entries } = parseStatus(output)
  const nested = [...(await submodules(git)), ...entries.flatMap(nestedIn)]
  if (nested.length > mostNested || depth > deepest) throw new Error(`too many repositories inside ${root}`)

  let dirty = entries.length
  const digest = createHash('sha256').update(`${head}\n`)
  addEntries(digest, root, entries)
  for (const path of nested.filter((path) => existsSync(join(root, path, '.git')))) {
    const look = await lookAt(join(root, path), options, depth + 1)
    dirty += look.dirty
    digest.update(JSON.stringify([path, look.fingerprint]))
  }
  return { head, branch, dirty, fingerprint: digest.digest('hex') }
}

function addEntries(digest: Hash, root: string, entries: readonly Entry[]): void {
  const stamp = createStamper()
  for (const { path, staged } of entries) {
    const [says, ...bytes] = stamp(inside(root, path))
    digest.update(JSON.stringify([path, staged, says, bytes.map(({ length }) => length)]))
    for (const part of bytes) digest.update(part)
  }
}

async function submodules({ root, ask }: Git): Promise<string[]> {
  const file = join(root, '.gitmodules')
  if (!existsSync(file)) return []
  const found = await ask('config', '--null', '--file', file, '--get-regexp', '^submodule\\..*\\.path$')
  const paths = (found?.toString('utf8') ?? '').split('\0').flatMap((line) => line.split('\n')[1] ?? [])
  return paths.filter((path) => !path.startsWith('/') && !path.split('/').includes('..'))
}

/** A repository that nobody has made a submodule of is listed as a folder. */
const nestedIn = ({ path }: Entry): string[] => (path.endsWith('/') ? [textOf(path)] : [])
