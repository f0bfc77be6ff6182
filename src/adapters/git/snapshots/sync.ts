import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { findCommonDir } from '../paths.ts'
import type { Tool } from './tool.ts'
import { checkId } from './trees.ts'

// Beyond some thousand files, speed matters more.
const maxFiles = 5000

/**
 * Makes what is new in `to` survive a power loss: its objects, and the files of the work tree that it was taken from. `from` is a
 * tree or commit that does already.
 */
export async function syncTree({ run, root, gitDir, memory }: Tool, from: string, to: string): Promise<void> {
  const key = `${checkId(from)} ${checkId(to)}`
  if (from === to || memory.synced.has(key)) return
  const args = ['diff-tree', '-r', '-t', '-z', '--raw', '--no-renames', '--no-abbrev', from, to]
  const parts = (await run(args)).toString('latin1').split('\0')
  const ids = parts.flatMap((part) => /^:\d+ (?!000000|160000)\d+ \w+ (\w+) /.exec(part)?.[1] ?? [])
  const paths = parts.filter((_, index) => index % 2 === 1).map((path) => Buffer.from(path, 'latin1').toString('utf8'))
  const objects = join(findCommonDir(gitDir), 'objects')
  // A missing file is an object in a pack, which git has synced.
  syncFiles([to, ...ids].map((id) => join(objects, id.slice(0, 2), id.slice(2))))
  syncFile(objects)
  syncFiles(paths.map((path) => join(root, path)))
  memory.synced.add(key)
}

/** git syncs files, but not the folders that name them: makes a new commit, and then the ref that names it, survive. */
export function syncCommit({ gitDir }: Tool, id: string): void {
  const objects = join(findCommonDir(gitDir), 'objects')
  syncFiles([join(objects, id.slice(0, 2), id.slice(2))])
  syncFile(objects)
}
export const syncRef = ({ gitDir }: Tool, ref: string): void => syncFiles([join(findCommonDir(gitDir), ref)])

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
