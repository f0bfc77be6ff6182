import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { RepositoryBlockedError, type Tree } from '../../../ports/snapshots.ts'
import { isOwn, toBytes } from '../paths.ts'
import { copyIndex, findIndexState, invalidateStats, withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { findFiltered, nulList, parseId } from './trees.ts'

const maxTries = 20

/** Adds everything that git would add to an index of our own, and returns its tree. */
export function takeTree(tool: Tool, ownFolders: readonly string[]): Promise<Tree> {
  return withTempFolder(tool.gitDir, async (folder) => {
    const index = join(folder, 'index')
    const own = ownFolders
      .map((folder) => relative(tool.root, folder))
      .filter((path) => path && !/^\.\.(\/|$)/.test(path))
    const links = await prepareIndex(tool, index, own)
    invalidateStats(index)
    await addAll(tool, index, [...links.flatMap(excludePath), ...ownPatterns, ...own.map(toBytes).flatMap(excludePath)])
    const how = ['--add', '--remove', '--replace', '-z', '--stdin']
    if (links.length > 0) await tool.run(['update-index', ...how], { index, input: nulList(links) })
    return parseId(await tool.run(['write-tree'], { index }))
  })
}

/**
 * Copies the user's index and cleans it: no bits that hide changes, no files of our own runs. Remembered as long as the
 * user's index is the same file, unless filters or a sparse checkout make the result depend on more than the index.
 * Returns the submodules.
 */
async function prepareIndex(tool: Tool, index: string, own: readonly string[]): Promise<readonly string[]> {
  const source = join(tool.gitDir, 'index')
  const { state, isSettled } = findIndexState(source)
  const known = tool.memory.index
  if (known?.state === state && tool.config.filters.length === 0) {
    if (known.bytes.length > 0) writeFileSync(index, known.bytes)
    return known.links
  }
  copyIndex(source, index)
  const { links, hasSkipped } = await cleanIndex(tool, index, own)
  tool.memory.index =
    isSettled && !hasSkipped && tool.config.filters.length === 0
      ? { state, bytes: readIfThere(index), links }
      : undefined
  return links
}

function readIfThere(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

/**
 * A filtered file is removed from the index and taken as it is on disk: with filters off, git would see another change
 * in it each time.
 */
async function cleanIndex(tool: Tool, index: string, own: readonly string[]) {
  const entries = parseEntries(await tool.run(['ls-files', '-v', '-s', '-z'], { index }))
  const update = async (flag: string, paths: readonly string[]): Promise<void> => {
    if (paths.length > 0) await tool.run(['update-index', flag, '-z', '--stdin'], { index, input: nulList(paths) })
  }
  const listPaths = (found: readonly Known[]): string[] => found.map(({ path }) => path)
  await update('--no-assume-unchanged', listPaths(entries.filter(({ tag }) => /[a-z]/.test(tag))))
  const skipped = entries.filter(({ tag }) => /s/i.test(tag))
  if (skipped.length > 0 && !(await isSparse(tool))) await update('--no-skip-worktree', listPaths(skipped))

  const links = entries.filter(({ mode }) => mode === '160000')
  const files = entries.filter(({ mode }) => mode !== '160000')
  const isOurs = ({ path }: Known): boolean => isOwn(path) || own.some((folder) => isBelow(path, folder))
  const filtered = tool.config.filters.length > 0 ? await findFiltered(tool, listPaths(files)) : []
  await update('--force-remove', [...listPaths(files.filter(isOurs)), ...filtered])
  return { links: listPaths(links), hasSkipped: skipped.length > 0 }
}

type Known = { readonly tag: string; readonly mode: string; readonly path: string }

/** `H 100644 1a2b… 0<tab>path` */
function parseEntries(output: Buffer): Known[] {
  return output
    .toString('latin1')
    .split('\0')
    .flatMap((line) => {
      const [, tag, mode, path] = /^(\S+) (\d+) \w+ \d\t(.*)$/s.exec(line) ?? []
      return tag !== undefined && mode !== undefined && path !== undefined ? [{ tag, mode, path }] : []
    })
}

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${toBytes(folder)}/`)

async function isSparse({ attempt }: Tool): Promise<boolean> {
  const { stdout } = await attempt(['config', '--type=bool', 'core.sparseCheckout'])
  return stdout.toString('latin1').trim() === 'true'
}

/**
 * Leaves out submodules, because git would run in them with their own config, and repositories without a commit, which
 * cannot be added. Retries when a file changes while git reads it.
 */
async function addAll(tool: Tool, index: string, without: readonly string[]): Promise<void> {
  const left = [...without]
  // An object gets its name after its content is on disk: git never replaces an object, not even an empty one. One sync
  // for all, because there may be thousands of files; those that are committed are synced one by one then.
  const args = [
    '-c',
    'core.fsyncMethod=batch',
    'add',
    '--all',
    '--sparse',
    '--pathspec-from-file=-',
    '--pathspec-file-nul',
  ]
  for (let tries = 1; ; tries++) {
    const how = { index, input: nulList([':(top)', ...left]) }
    const { code, says } = await tool.attempt(args, how)
    if (code === 0) return
    const [, empty] = /'(.*)\/' does not have a commit checked out/.exec(says) ?? []
    if (empty !== undefined) left.push(...excludePath(toBytes(empty)))
    if (tries >= (empty === undefined ? 3 : maxTries)) throw new RepositoryBlockedError(`git add failed: ${says}`)
  }
}

/**
 * Excludes a file or folder by a pattern that begins with a wildcard: `[\o]ut` instead of `out`. git fails with "paths are
 * ignored" if it can read a path without a wildcard that lies below an ignored folder, even in an exclusion.
 */
function excludePath(path: string): string[] {
  const [first = '', rest] = [path[0], path.slice(1).replace(/[*?[\\]/g, '\\$&')]
  return [`[\\${first}]${rest}`, `[\\${first}]${rest}/**`].map(exclude)
}
const exclude = (pattern: string): string => `:(top,exclude,glob)${pattern}`
const ownPatterns = ['.pawl', '.rooda', '.agentic'].flatMap((name) =>
  ['runs', 'state'].map((part) => exclude(`**/${name}/${part}/**`)),
)
