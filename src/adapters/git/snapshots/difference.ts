import type { ChangedFile } from '../../../ports/repository.ts'
import type { Difference } from '../../../ports/snapshots.ts'
import { partsOf } from '../changed-files.ts'
import { textOf } from '../names.ts'
import type { Tool } from './tool.ts'
import { checkedId, rawDiff } from './trees.ts'

// Nobody hides a file behind a heap of others: this many are more than git's answer can hold by far.
const mostFiles = 500_000
const mostPatchBytes = 512 * 1024

/** What is larger is named as binary, so that nobody holds it in memory to compare lines. */
const small = ['-c', 'core.bigFileThreshold=16m', '-c', 'core.quotePath=false']
const plainly = ['--no-ext-diff', '--no-textconv', '--no-color', '--submodule=short']

export async function differenceBetween(tool: Tool, from: string, to: string): Promise<Difference> {
  const trees = [checkedId(from), checkedId(to)]
  const listed = await tool.run([...small, ...rawDiff, '--numstat', ...plainly, ...trees])
  const files = new Map<string, ChangedFile>()
  for (const [path, what] of partsOf(listed)) {
    const before = files.get(path) ?? { path: textOf(path), status: 'modified', added: null, deleted: null }
    files.set(path, { ...before, ...what })
  }
  const args = [...small, 'diff-tree', '-r', '-p', '--no-renames', '--ignore-submodules=none', ...plainly, ...trees]
  const answer = await tool.attempt(args, { maxBytes: mostPatchBytes, beginning: true })
  const truncated = answer.code === null
  return {
    files: [...files.values()].slice(0, mostFiles),
    total: files.size,
    repositories: newRepositories(listed),
    patch: textOf((truncated ? wholeLines(answer.stdout) : answer.stdout).toString('latin1')),
    truncated,
  }
}

/** `:000000 160000 0000 1a2b A`, then the path. */
function newRepositories(listed: Buffer): string[] {
  const parts = listed.toString('latin1').split('\0')
  return parts.flatMap((part, index) => (/^:(?!160000)\d+ 160000 /.test(part) ? [textOf(parts[index + 1] ?? '')] : []))
}

const wholeLines = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.lastIndexOf(10) + 1)

const mostBytes = 2 * 1024 * 1024

/** A plain file's content in a tree. */
export async function readFrom(tool: Tool, tree: string, path: string): Promise<string | undefined> {
  if (path === '' || path.includes('\0') || path.endsWith('/')) return undefined
  const args = ['ls-tree', '-z', '-l', '--full-tree', checkedId(tree), '--', path]
  const { code, stdout } = await tool.attempt(args, { env: { GIT_LITERAL_PATHSPECS: '1' } })
  const [, id, size] = /^100\d+ blob (\w+) +(\d+)\t/.exec(stdout.toString('latin1')) ?? []
  if (code !== 0 || id === undefined || Number(size) > mostBytes) return undefined
  return (await tool.run(['cat-file', 'blob', id])).toString('utf8')
}
