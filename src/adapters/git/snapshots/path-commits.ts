import * as fs from 'node:fs'
import { join } from 'node:path'
import type { FileState, PathCommit, PathCommits, TrailedCommit } from '../../../ports/path-commits.ts'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { findStats, isInside, listAbove, toBytes, toText } from '../paths.ts'
import { parseStatus, statusArgs } from '../status.ts'
import { buildMessage, findByTrailers, findCommit, listCommits } from './commits.ts'
import { createEffects, type EffectOptions } from './effects.ts'
import { requireIdentity } from './identity.ts'
import { publishOnce, refuseFiltered } from './publish.ts'
import { withTempFolder } from './temp-index.ts'
import { requireRoot, type Tool } from './tool.ts'
import {
  type Change,
  changesBetween,
  checkId,
  type Entry,
  findFile,
  hashEmptyTree,
  isFile,
  isSameEntry,
  listEntries,
  readBlobs,
  resolveIds,
} from './trees.ts'

/** Commits of single files in the repository that contains this folder. Throws if there is none. */
export function createPathCommits(options: EffectOptions): PathCommits {
  const inside = createEffects(options)
  return {
    root: requireRoot(options.folder),
    listUncommitted: (folder) => inside((tool) => listUncommitted(tool, folder)),
    commit: (commit) => inside((tool) => commitFiles(tool, commit, options.env)),
    log: (folder, trailers) => inside((tool) => listTrailed(tool, folder, trailers)),
    changedSince: (id, path) => inside((tool) => listLater(tool, id, path)),
    changes: (id) => inside((tool) => listChanges(tool, id)),
    read: (id, path) => inside((tool) => readFile(tool, id, path)),
  }
}

/** Where a path does not fit, the caller has a bug. */
function checkPath(path: string): string {
  if (isInside(path)) return path
  throw new Error(`${JSON.stringify(path)} is not a path from the root of a work tree`)
}

/** Undefined for the whole repository. */
const checkFolder = (folder: string): string | undefined => (folder === '' ? undefined : checkPath(folder))

async function listUncommitted(tool: Tool, folder: string): Promise<string[]> {
  const path = checkFolder(folder)
  const args = [...statusArgs, '--ignore-submodules=all', '--', ...(path === undefined ? [] : [path])]
  const how = { index: join(tool.gitDir, 'index'), env: { GIT_LITERAL_PATHSPECS: '1' } }
  const { entries } = parseStatus(await tool.run(args, how), Number.POSITIVE_INFINITY)
  // A path that ends with a slash is a repository inside this one.
  const paths = entries.flatMap((entry) => (entry.path.endsWith('/') ? [] : [toText(entry.path)]))
  return [...new Set(paths)].sort()
}

/** Commits the files on the branch, once. */
async function commitFiles(tool: Tool, commit: PathCommit, env: NodeJS.ProcessEnv): Promise<string | null> {
  checkCommit(commit)
  const { changes: files, subject, body = '', trailers, author } = commit
  return publishOnce(tool, {
    find: () => findByTrailers(tool, trailers),
    prepare: async (parent) => {
      for (const file of files) refuseObstacle(tool.root, file)
      const changes = await changesSince(tool, parent, files)
      if (changes.length === 0) return null
      const person = requireIdentity(tool, env, author)
      await refuseFiltered(tool, changes, 'commit it by hand')
      return { changes, message: buildMessage({ subject, body }, trailers), env: person }
    },
  })
}

/** A commit that its trailers do not identify would be made again and again. */
function checkCommit({ changes, subject, trailers }: PathCommit): void {
  const paths = changes.map(({ path }) => checkPath(path))
  if (new Set(paths).size < paths.length) throw new Error(`a path is named twice: ${paths.join(', ')}`)
  if (subject.replace(/\p{Cc}/gu, '').trim() === '') throw new Error('a commit needs a subject')
  const names = Object.keys(trailers).map(checkTrailer)
  const odd = Object.values(trailers).filter((value) => value !== value.trim() || /\p{Cc}/u.test(value))
  if (odd.length > 0) throw new Error(`not the value of a trailer: ${JSON.stringify(odd[0])}`)
  if (!names.some((name) => trailers[name])) throw new Error('a commit needs a trailer')
}

/** A trailer's name becomes a part of a format of git's. */
function checkTrailer(name: string): string {
  if (/^[A-Za-z][A-Za-z0-9-]*$/.test(name)) return name
  throw new Error(`${JSON.stringify(name)} is not the name of a trailer`)
}

/** What a link leads to is not in the repository under this path. */
function refuseObstacle(root: string, { path, content }: FileState): void {
  for (const folder of listAbove(toBytes(path))) {
    const found = findStats(root, folder)
    if (!found) return
    if (!found.isSymbolicLink() && (found.isDirectory() || content === null)) continue
    const what = found.isSymbolicLink() ? 'a symlink' : 'not a folder'
    throw new RepositoryBlockedError(`${path} cannot be committed: ${toText(folder)} is ${what}`)
  }
  const found = content === null ? undefined : findStats(root, toBytes(path))
  if (!found || found.isFile()) return
  throw new RepositoryBlockedError(`${path} cannot be committed: it is not a regular file`)
}

/** Returns how these files differ from a commit. Their contents become objects of git. */
async function changesSince(tool: Tool, parent: string | undefined, files: readonly FileState[]): Promise<Change[]> {
  const before = parent === undefined ? new Map<string, Entry>() : await listEntries(tool, parent)
  const ids = (await storeContents(tool, files)).values()
  const all = files.map(({ path: text, content, executable }) => {
    const path = toBytes(text)
    const was = before.get(path)
    const mode = was && isFile(was) ? was.mode : executable ? executableMode : '100644'
    return { path, was, is: content === null ? undefined : { mode, id: checkId(ids.next().value ?? '') } }
  })
  const changes = all.filter(({ was, is }) => !isSameEntry(was, is))
  refuseLoss(before, changes)
  return changes
}

/** Stores the contents that there are, in one process, and returns their ids in the same order. */
async function storeContents(tool: Tool, files: readonly FileState[]): Promise<string[]> {
  const contents = files.flatMap(({ content }) => (content === null ? [] : [content]))
  if (contents.length === 0) return []
  return withTempFolder(tool.gitDir, async (folder) => {
    const names = contents.map((content, at) => {
      const name = join(folder, `content-${at}`)
      fs.writeFileSync(name, content)
      return name
    })
    // git reads a quoted name as C would.
    const lines = names.map((name) => `"${name.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"\n`)
    const args = ['hash-object', '-w', '--no-filters', '--stdin-paths']
    const output = await tool.run(args, { input: Buffer.from(lines.join('')) })
    return output.toString('latin1').split('\n')
  })
}

/** A new file takes the place of a file above it and of the files below it. Refuses that for files that are not named. */
function refuseLoss(before: ReadonlyMap<string, Entry>, changes: readonly Change[]): void {
  const added = new Set(changes.flatMap(({ path, was, is }) => (is && !was ? [path] : [])))
  const removed = new Set(changes.flatMap(({ path, is }) => (is ? [] : [path])))
  if (added.size === 0) return
  const isAbove = (path: string): boolean => added.has(path) || (before.has(path) && !removed.has(path))
  const above = [...added].flatMap(listAbove).find(isAbove)
  const below = [...before.keys()].find((path) => !removed.has(path) && listAbove(path).some((at) => added.has(at)))
  const lost = above ?? below
  if (lost === undefined) return
  throw new RepositoryBlockedError(`a file and a folder would have the same name: ${toText(lost)} is in the way`)
}

async function listTrailed(tool: Tool, folder: string, names: readonly string[]): Promise<TrailedCommit[]> {
  const path = checkFolder(folder)
  const commits = await listCommits(tool, { trailers: names.map(checkTrailer), path })
  return commits.flatMap(({ values, ...commit }) => {
    const found = names.flatMap((name, at) => values[at]?.slice(-1).map((value) => [name, value] as const) ?? [])
    return found.length === 0 ? [] : [{ ...commit, trailers: Object.fromEntries(found) }]
  })
}

async function listLater(tool: Tool, id: string, path: string): Promise<Omit<TrailedCommit, 'trailers'>[]> {
  const commits = await listCommits(tool, { trailers: [], after: checkId(id), path: checkPath(path) })
  return commits.map(({ id, at, subject }) => ({ id, at, subject }))
}

async function listChanges(tool: Tool, id: string): ReturnType<PathCommits['changes']> {
  const [tree, parent] = await resolveIds(tool, [`${checkId(id)}^{tree}`, `${id}^1^{tree}`])
  if (tree === undefined) throw new RepositoryBlockedError(`there is no commit ${id} in this repository`)
  const changes = await changesBetween(tool, parent ?? hashEmptyTree(tree), tree)
  const sides = changes.map(({ path, was, is }) => ({
    path: toText(path),
    was: findBlob(was),
    is: findBlob(is),
    more: was?.mode === executableMode ? ({ wasExecutable: true } as const) : {},
  }))
  const contents = await readBlobs(
    tool,
    sides.flatMap(({ was, is }) => [was, is].filter((blob) => blob !== undefined)),
  )
  const read = (blob: string | undefined): Buffer | null => (blob === undefined ? null : contents.get(blob)!)
  return sides.flatMap(({ path, was, is, more }) =>
    was === undefined && is === undefined ? [] : [{ path, before: read(was), after: read(is), ...more }],
  )
}

const executableMode = '100755'

/** Symlinks and submodules are not files. */
const findBlob = (entry: Entry | undefined): string | undefined => (entry && isFile(entry) ? entry.id : undefined)

async function readFile(tool: Tool, id: string, path: string): Promise<Buffer | null> {
  const commit = id === 'HEAD' ? await findCommit(tool, 'HEAD') : checkId(id)
  const file = commit === undefined ? undefined : await findFile(tool, commit, checkPath(path))
  return file === undefined ? null : tool.run(['cat-file', 'blob', file.id])
}
