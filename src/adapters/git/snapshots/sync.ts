import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { findCommonDir } from '../paths.ts'
import type { Tool } from './tool.ts'
import { type Change, checkId } from './trees.ts'

// Beyond some thousand files, speed matters more.
const maxFiles = 5000

/** Makes what is new in `to` survive a power loss. `from` is a tree or commit that does already. */
export async function syncObjects({ run, gitDir, memory }: Tool, from: string, to: string): Promise<void> {
  if (from === to || memory.synced.has(checkId(to))) return
  const args = ['diff-tree', '-r', '-t', '-z', '--raw', '--no-renames', '--no-abbrev', checkId(from), to]
  const lines = (await run(args)).toString('latin1').split('\0')
  const ids = lines.flatMap((line) => /^:\d+ (?!000000|160000)\d+ \w+ (\w+) /.exec(line)?.[1] ?? [])
  const objects = join(findCommonDir(gitDir), 'objects')
  // A missing file is an object in a pack, which git has synced.
  syncFiles([to, ...ids].map((id) => join(objects, id.slice(0, 2), id.slice(2))))
  syncFile(objects)
  memory.synced.add(to)
}

/** git syncs files, but not the folders that name them: makes a new commit, and then the ref that names it, survive. */
export function syncCommit({ gitDir }: Tool, id: string): void {
  const objects = join(findCommonDir(gitDir), 'objects')
  syncFiles([join(objects, id.slice(0, 2), id.slice(2))])
  syncFile(objects)
}
export const syncRef = ({ gitDir }: Tool, ref: string): void => syncFiles([join(findCommonDir(gitDir), ref)])

/** Makes the files of a work tree survive a power loss, once a story is recorded as done with them. */
export function syncWorkTree({ root }: Tool, changes: readonly Change[]): void {
  syncFiles(changes.map(({ path }) => Buffer.from(path, 'latin1').toString('utf8')).map((path) => join(root, path)))
}

/** Syncs files and the folders that name them. Ignores what is not there. */
function syncFiles(paths: readonly string[]): void {
  const some = paths.slice(0, maxFiles)
  for (const path of [...some, ...new Set(some.map((path) => dirname(path)))]) syncFile(path)
}

/** The path may be a link, a pipe or a device that an agent made: those are not opened. */
export function syncFile(path: string): void {
  let fd: number
  try {
    fd = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK)
  } catch {
    return
  }
  try {
    const found = fs.fstatSync(fd)
    if (found.isFile() || found.isDirectory()) fs.fsyncSync(fd)
  } finally {
    fs.closeSync(fd)
  }
}
