import { join, relative } from 'node:path'
import { RepositoryBlockedError, type Tree } from '../../../ports/snapshots.ts'
import { isOwn } from '../paths.ts'
import { copyIndex, invalidateStats, withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import { findFiltered, nulList, parseId } from './trees.ts'

const mostTries = 20

/** Everything that git would add, into an index of our own, as a tree. */
export function takeTree(tool: Tool, ownFolders: readonly string[]): Promise<Tree> {
  return withTempFolder(tool.gitDir, async (folder) => {
    const index = join(folder, 'index')
    copyIndex(join(tool.gitDir, 'index'), index)
    const own = ownFolders
      .map((folder) => relative(tool.root, folder))
      .filter((path) => path && !/^\.\.(\/|$)/.test(path))
    const { links } = await prepare(tool, index, own)
    invalidateStats(index)
    await addAll(tool, index, [
      ...links.map((path) => exclude('literal', path)),
      ...ownPatterns,
      ...own.map(excludeLiteral),
    ])
    const how = ['--add', '--remove', '--replace', '-z', '--stdin']
    if (links.length > 0) await tool.run(['update-index', ...how], { index, input: nulList(links) })
    return parseId(await tool.run(['write-tree'], { index }))
  })
}

/**
 * Bits that hide a file's changes from git are taken off, and what runs keep is forgotten. So is what a filter has
 * made of a file: it is taken as it lies there, since with filters off it would change whenever git looks at it anew.
 */
async function prepare(tool: Tool, index: string, own: readonly string[]): Promise<{ links: string[] }> {
  const entries = known(await tool.run(['ls-files', '-v', '-s', '-z'], { index }))
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
  const filtered = tool.filters.length > 0 ? await findFiltered(tool, listPaths(files)) : []
  await update('--force-remove', [...listPaths(files.filter(isOurs)), ...filtered])
  return { links: listPaths(links) }
}

type Known = { readonly tag: string; readonly mode: string; readonly path: string }

/** `H 100644 1a2b… 0<tab>path` */
function known(output: Buffer): Known[] {
  return output
    .toString('latin1')
    .split('\0')
    .flatMap((line) => {
      const [, tag, mode, path] = /^(\S+) (\d+) \w+ \d\t(.*)$/s.exec(line) ?? []
      return tag !== undefined && mode !== undefined && path !== undefined ? [{ tag, mode, path }] : []
    })
}

const isBelow = (path: string, folder: string): boolean =>
  path.startsWith(`${Buffer.from(folder, 'utf8').toString('latin1')}/`)

async function isSparse({ attempt }: Tool): Promise<boolean> {
  const { stdout } = await attempt(['config', '--type=bool', 'core.sparseCheckout'])
  return stdout.toString('latin1').trim() === 'true'
}

/**
 * Submodules are left out here: git would look into them, with whatever their own configuration names. A repository
 * without a commit cannot be added and is left out. A file that changes while it is read is tried again.
 */
async function addAll(tool: Tool, index: string, without: readonly string[]): Promise<void> {
  const left = [...without]
  // Thousands of files are not waited for one by one: what is kept or committed of them is synced then.
  const args = ['-c', 'core.fsync=none', 'add', '--all', '--sparse', '--pathspec-from-file=-', '--pathspec-file-nul']
  for (let tries = 1; ; tries++) {
    const how = { index, input: nulList([':(top)', ...left]) }
    const { code, says } = await tool.attempt(args, how)
    if (code === 0) return
    const [, empty] = /'(.*)\/' does not have a commit checked out/.exec(says) ?? []
    if (empty !== undefined) left.push(excludeLiteral(empty))
    if (tries >= (empty === undefined ? 3 : mostTries)) throw new RepositoryBlockedError(`git add: ${says}`)
  }
}

const exclude = (how: 'literal' | 'glob', path: string): string => `:(top,exclude,${how})${path}`
const excludeLiteral = (path: string): string => exclude('literal', Buffer.from(path, 'utf8').toString('latin1'))
const ownPatterns = ['.pawl', '.rooda', '.agentic'].flatMap((name) =>
  ['runs', 'state'].map((part) => exclude('glob', `**/${name}/${part}/**`)),
)
