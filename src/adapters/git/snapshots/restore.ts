import * as fs from 'node:fs'
import { join } from 'node:path'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { findStats, inside, isInside, isOwn, listAbove, toText } from '../paths.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { type Entry, isLink, listEntries, nulList, setInIndex } from './trees.ts'

/** Removes paths that the tree does not have, then writes the others. Never removes a path that was not named. */
export async function restorePaths(tool: Tool, tree: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return
  const entries = await listEntries(tool, tree)
  const named = new Map(paths.map((path) => [path, entries.get(path)] as const))
  for (const path of named.keys()) refuseOdd(path)
  const gone = [...named].flatMap(([path, entry]) => (entry ? [] : [path]))
  const ignored = await ignoredAmong(tool, gone)
  const repositories = gone.filter((path) => !ignored.has(path) && !remove(tool.root, path))

  const files = [...named].filter((pair): pair is [string, Entry] => pair[1] !== undefined && !isLink(pair[1]))
  for (const [path] of files) refuseObstacle(tool.root, path)
  if (files.length > 0) await writeFiles(tool, files)
  if (repositories.length > 0) {
    const names = repositories.map(toText).join(', ')
    throw new RepositoryBlockedError(`not removed, because it is a folder with other files: ${names}`)
  }
}

function writeFiles(tool: Tool, files: readonly (readonly [string, Entry])[]): Promise<void> {
  return withTempFolder(tool.gitDir, async (folder) => {
    const index = join(folder, 'index')
    const entries = files.map(([path, is]) => ({ path, is }))
    await setInIndex(tool, index, entries)
    const input = nulList(files.map(([path]) => path))
    await tool.run(['checkout-index', '--force', '--quiet', '-z', '--stdin'], { index, input })
  })
}

function refuseOdd(path: string): void {
  if (!isInside(path) || isOwn(path)) {
    throw new RepositoryBlockedError(`${JSON.stringify(toText(path))} is not a path in the work tree`)
  }
}

async function ignoredAmong({ attempt }: Tool, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  const { stdout } = await attempt(['check-ignore', '-z', '--stdin'], { input: nulList(paths) })
  return new Set(stdout.toString('latin1').split('\0'))
}

/** Never follows a symlink. False if the path is now a folder with content. */
function remove(root: string, path: string): boolean {
  const folders = listAbove(path)
  if (!folders.every((folder) => findStats(root, folder)?.isDirectory())) return true
  const found = findStats(root, path)
  if (found?.isDirectory() && !removeEmpty(root, path)) return !fs.existsSync(join(root, toText(path), '.git'))
  if (found && !found.isDirectory()) fs.unlinkSync(inside(root, path))
  for (const folder of folders.reverse()) if (!removeEmpty(root, folder)) break
  return true
}

function removeEmpty(root: string, folder: string): boolean {
  try {
    fs.rmdirSync(inside(root, folder))
    return true
  } catch {
    return false
  }
}

/** git would remove a file or folder that is in the way, and replace a symlink. */
function refuseObstacle(root: string, path: string): void {
  const folders = listAbove(path).map((folder) => [folder, findStats(root, folder)] as const)
  const inTheWay = folders.find(([, found]) => found && !found.isDirectory())?.[0]
  const isFolder = inTheWay === undefined && findStats(root, path)?.isDirectory()
  if (inTheWay === undefined && !isFolder) return
  const what = isFolder ? 'a folder has that name now' : `${toText(inTheWay ?? '')} is no longer a folder`
  throw new RepositoryBlockedError(`${toText(path)} cannot be restored: ${what}. Move it away, then try again`)
}
