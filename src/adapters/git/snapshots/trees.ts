import { createHash } from 'node:crypto'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { remember, type Tool } from './tool.ts'

/** A path in a tree: mode and id as git writes them. Undefined where the tree does not have the path. */
export type Entry = {
  readonly mode: string
  readonly id: string /** Known for files of a listed tree. */
  readonly size?: number
}
/** Paths are as git gives them, byte for byte, in latin1. */
export type Change = { readonly path: string; readonly was: Entry | undefined; readonly is: Entry | undefined }

export const isLink = ({ mode }: Entry): boolean => mode === '160000'
export const isFile = ({ mode }: Entry): boolean => mode.startsWith('100')
export const isSameEntry = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a?.id === b?.id && a?.mode === b?.mode

/** Ids come from files that others can write. */
export function checkId(id: string): string {
  if (idPattern.test(id)) return id
  throw new RepositoryBlockedError(`${JSON.stringify(id)} is not a git object id`)
}
const idPattern = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/

export const parseId = (output: Buffer): string => checkId(output.toString('latin1').trim())

/** Resolves names such as `HEAD^{tree}` in one process. Undefined for what does not exist. */
export async function resolveIds({ run }: Tool, names: readonly string[]): Promise<(string | undefined)[]> {
  const input = Buffer.from(names.map((name) => `${name}\n`).join(''))
  const lines = (await run(['cat-file', '--batch-check=%(objectname)'], { input })).toString('utf8').split('\n')
  return names.map((_, at) => (idPattern.test(lines[at] ?? '') ? lines[at] : undefined))
}

const rawDiff = [
  'diff-tree',
  '-r',
  '-z',
  '--raw',
  '--numstat',
  '--no-renames',
  '--no-abbrev',
  '--ignore-submodules=none',
]
/** Larger files are treated as binary, so that their lines are never held in memory. */
export const smallFiles = ['-c', 'core.bigFileThreshold=16m', '-c', 'core.quotePath=false']
export const plainDiff = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short']

/** The raw difference and line counts, as git prints them. */
export async function diffTrees({ run, memory }: Tool, from: string, to: string): Promise<Buffer> {
  const trees = [checkId(from), checkId(to)]
  if (from === to) return Buffer.alloc(0)
  const ask = (): Promise<Buffer> => run([...smallFiles, ...rawDiff, ...plainDiff, ...trees])
  return (await remember(memory, `diff ${from} ${to}`, ask))!
}

export async function changesBetween(tool: Tool, from: string, to: string): Promise<Change[]> {
  const parts = (await diffTrees(tool, from, to)).toString('latin1').split('\0').values()
  const changes: Change[] = []
  for (const part of parts) {
    const [, wasMode, isMode, wasId, isId] = /^:(\d+) (\d+) (\w+) (\w+) [A-Z]/.exec(part) ?? []
    if (wasMode === undefined || isMode === undefined || wasId === undefined || isId === undefined) continue
    changes.push({ path: parts.next().value ?? '', was: toEntry(wasMode, wasId), is: toEntry(isMode, isId) })
  }
  return changes
}

/** git knows this tree without storing it. `like` is any id of the repository: its length tells the hash function. */
export const hashEmptyTree = (like: string): string =>
  createHash(like.length === 40 ? 'sha1' : 'sha256')
    .update('tree 0\0')
    .digest('hex')

const toEntry = (mode: string, id: string): Entry | undefined => (mode === '000000' ? undefined : { mode, id })

/** All files of a tree. */
export async function listEntries({ run, memory }: Tool, tree: string): Promise<Map<string, Entry>> {
  const ask = (): Promise<Buffer> => run(['ls-tree', '-r', '-l', '-z', '--full-tree', checkId(tree)])
  const lines = (await remember(memory, `tree ${tree}`, ask))!.toString('latin1').split('\0')
  return new Map(
    lines.flatMap((line) => {
      const [, mode, id, size, path] = /^(\d+) \w+ (\w+) +(\d+|-)\t(.*)$/s.exec(line) ?? []
      if (mode === undefined || id === undefined || path === undefined) return []
      return [[path, { mode, id, ...(size !== '-' && { size: Number(size) }) }] as const]
    }),
  )
}

/** Finds a regular file in a tree or commit. */
export async function findFile(
  { run }: Tool,
  tree: string,
  path: string,
): Promise<{ readonly id: string; readonly size: number } | undefined> {
  const args = ['ls-tree', '-z', '-l', '--full-tree', tree, '--', path]
  const listed = await run(args, { env: { GIT_LITERAL_PATHSPECS: '1' } })
  const [, id, size] = /^100\d+ blob (\w+) +(\d+)\t/.exec(listed.toString('latin1')) ?? []
  return id === undefined ? undefined : { id, size: Number(size) }
}

/** Reads the contents of files in one process, and remembers small ones. */
export async function readBlobs({ run, memory }: Tool, ids: readonly string[]): Promise<ReadonlyMap<string, Buffer>> {
  const known = [...new Set(ids)].map((id) => [id, memory.answers.get(`blob ${id}`)] as const)
  const found = new Map(known.flatMap(([id, bytes]) => (bytes ? [[id, bytes] as const] : [])))
  const asked = known.flatMap(([id, bytes]) => (bytes ? [] : [id]))
  if (asked.length === 0) return found
  const input = Buffer.from(asked.map((id) => `${checkId(id)}\n`).join(''))
  const output = await run(['cat-file', '--batch'], { input })
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at)
    const [, id, size] = /^(\w+) blob (\d+)$/.exec(output.toString('latin1', at, end)) ?? []
    if (id === undefined) throw new RepositoryBlockedError(`git cat-file: ${output.toString('latin1', at, end)}`)
    at = end + 1 + Number(size)
    found.set(id, output.subarray(end + 1, at))
    if (asked.length <= maxRemembered) await remember(memory, `blob ${id}`, async () => found.get(id))
    at += 1
  }
  return found
}

const maxRemembered = 16

type IndexChange = Omit<Change, 'was'> & Partial<Pick<Change, 'was'>>

/** Sets these paths in an index. Removals come first, so that a folder can become a file and the other way round. */
export async function setInIndex({ run }: Tool, index: string, changes: readonly IndexChange[]): Promise<void> {
  // The length of an id depends on the repository's hash function.
  const gone = changes.flatMap(({ path, was, is }) => (was && !is ? [`0 ${'0'.repeat(was.id.length)}\t${path}\0`] : []))
  const there = changes.flatMap(({ path, is }) => (is ? [`${is.mode} ${is.id}\t${path}\0`] : []))
  const input = Buffer.from([...gone, ...there].join(''), 'latin1')
  await run(['update-index', '--replace', '-z', '--index-info'], { index, input })
}

export const nulList = (paths: Iterable<string>): Buffer => Buffer.from([...paths].join('\0'), 'latin1')

/** The paths whose attributes name a filter that does not run here, configured or not. */
export async function findFiltered({ run, config }: Tool, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const harmless = ['unspecified', 'unset', ...config.ownFilters]
  const input = nulList(paths)
  const parts = (await run(['check-attr', '-z', '--stdin', 'filter'], { input })).toString('latin1').split('\0')
  const found: string[] = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    if (!harmless.includes(parts[at + 2] ?? '')) found.push(parts[at] ?? '')
  }
  return found
}
