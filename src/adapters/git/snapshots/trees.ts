import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import type { Tool } from './tool.ts'

/** How a path is in a tree: mode and id as git writes them; undefined where it is not there. */
export type Entry = { readonly mode: string; readonly id: string }
/** Paths are as git gives them, byte for byte, in latin1. */
export type Change = { readonly path: string; readonly was: Entry | undefined; readonly is: Entry | undefined }

export const isLink = ({ mode }: Entry): boolean => mode === '160000'
export const isSameEntry = (a: Entry | undefined, b: Entry | undefined): boolean =>
  a?.id === b?.id && a?.mode === b?.mode

/** Ids come out of files that others can write. */
export function checkId(id: string): string {
  if (/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id)) return id
  throw new RepositoryBlockedError(`${JSON.stringify(id)} is no id of git's`)
}

export const parseId = (output: Buffer): string => checkId(output.toString('latin1').trim())

export const rawDiff = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', '--ignore-submodules=none']

export async function changesBetween({ run }: Tool, from: string, to: string): Promise<Change[]> {
  const parts = (await run([...rawDiff, checkId(from), checkId(to)])).toString('latin1').split('\0').values()
  const changes: Change[] = []
  for (const part of parts) {
    const [, wasMode, isMode, wasId, isId] = /^:(\d+) (\d+) (\w+) (\w+) [A-Z]/.exec(part) ?? []
    if (wasMode === undefined || isMode === undefined || wasId === undefined || isId === undefined) continue
    changes.push({ path: parts.next().value ?? '', was: entry(wasMode, wasId), is: entry(isMode, isId) })
  }
  return changes
}

const entry = (mode: string, id: string): Entry | undefined => (mode === '000000' ? undefined : { mode, id })

/** All files of a tree. */
export async function listEntries({ run }: Tool, tree: string): Promise<Map<string, Entry>> {
  const lines = (await run(['ls-tree', '-r', '-z', '--full-tree', checkId(tree)])).toString('latin1').split('\0')
  return new Map(
    lines.flatMap((line) => {
      const [, mode, id, path] = /^(\d+) \w+ (\w+)\t(.*)$/s.exec(line) ?? []
      return mode !== undefined && id !== undefined && path !== undefined ? [[path, { mode, id }] as const] : []
    }),
  )
}

/** Sets these paths in an index. What goes is said first, so that a folder can become a file and the other way round. */
export async function setInIndex(
  { run }: Tool,
  index: string,
  entries: Iterable<readonly [path: string, is: Entry | undefined]>,
): Promise<void> {
  const all = [...entries]
  const gone = all.flatMap(([path, is]) => (is ? [] : [`0 ${'0'.repeat(40)}\t${path}\0`]))
  const there = all.flatMap(([path, is]) => (is ? [`${is.mode} ${is.id}\t${path}\0`] : []))
  const input = Buffer.from([...gone, ...there].join(''), 'latin1')
  await run(['update-index', '--replace', '-z', '--index-info'], { index, input })
}

export const nulList = (paths: Iterable<string>): Buffer => Buffer.from([...paths].join('\0'), 'latin1')

/** Those whose attributes name a filter. */
export async function findFiltered({ run }: Tool, paths: readonly string[]): Promise<string[]> {
  if (paths.length === 0) return []
  const input = nulList(paths)
  const parts = (await run(['check-attr', '-z', '--stdin', 'filter'], { input })).toString('latin1').split('\0')
  const found: string[] = []
  for (let at = 0; at + 2 < parts.length; at += 3) {
    if (!['unspecified', 'unset'].includes(parts[at + 2] ?? '')) found.push(parts[at] ?? '')
  }
  return found
}
