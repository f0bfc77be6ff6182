import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { toText } from '../paths.ts'
import { buildMessage, findByTrailers, undoTrailers } from './commits.ts'
import { requireIdentity } from './identity.ts'
import { publishOnce, refuseFiltered } from './publish.ts'
import { restorePaths } from './restore.ts'
import { takeTree } from './take.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import {
  type Change,
  changesBetween,
  checkId,
  type Entry,
  isFile,
  isSameEntry,
  listEntries,
  parseId,
  resolveIds,
  setInIndex,
} from './trees.ts'

export type UndoOptions = {
  readonly commit: boolean
  readonly key: string
  readonly subject: string
  readonly ownFolders: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Reverts a commit in HEAD as it is now. After a crash anywhere, the next call continues. */
export function undoCommit(tool: Tool, id: string, options: UndoOptions): Promise<string | null> {
  const trailers = undoTrailers(options.key)
  const message = buildMessage({ subject: options.subject, body: `This takes back ${checkId(id)}.` }, trailers)
  return publishOnce(tool, {
    find: async () => {
      await refuseUnrelated(tool, id)
      return findByTrailers(tool, trailers, id)
    },
    prepare: async () => {
      const env = options.commit ? requireIdentity(tool, options.env, undefined) : {}
      const { head, tree, changes } = await withoutCommit(tool, id)
      if (changes.length === 0) return null
      await refuseFiltered(tool, changes, 'take it back by hand (git revert)')
      await restorePaths(tool, tree, await stillToDo(tool, changes, options.ownFolders))
      return options.commit ? { trees: { from: head, to: tree }, changes, message, env } : null
    },
  })
}

async function refuseUnrelated({ attempt }: Tool, id: string): Promise<void> {
  const { code } = await attempt(['merge-base', '--is-ancestor', checkId(id), 'HEAD'])
  if (code !== 0) throw new RepositoryBlockedError(`${id} is not on this branch, so there is nothing to undo`)
}

/** Merges the commit's parent into HEAD, with the commit as the base. `head` is the tree of HEAD. */
async function withoutCommit(tool: Tool, id: string): Promise<{ head: string; tree: string; changes: Change[] }> {
  const [base, head, parent] = await resolveIds(tool, [`${id}^{tree}`, 'HEAD^{tree}', `${id}^1^{tree}`])
  if (base === undefined || head === undefined || parent === undefined) {
    throw new RepositoryBlockedError(`${id} is the first commit: there is nothing to go back to`)
  }
  const merged = await mergeTrees(tool, { base, ours: head, theirs: parent })
  if ('conflicts' in merged) {
    const later = await listLater(tool, id, merged.conflicts)
    throw new RepositoryBlockedError(
      `later changes build on it in ${merged.conflicts.join(', ')}: undo those first (${later})`,
    )
  }
  const { tree } = merged
  return { head, tree, changes: await changesBetween(tool, head, tree) }
}

/** Lists the paths that are still as in HEAD. Throws if any of them was edited since. */
async function stillToDo(tool: Tool, changes: readonly Change[], ownFolders: readonly string[]): Promise<string[]> {
  const now = await listEntries(tool, await takeTree(tool, ownFolders))
  const edited = changes.filter(
    ({ path, was, is }) => !isSameEntry(now.get(path), was) && !isSameEntry(now.get(path), is),
  )
  if (edited.length > 0) {
    const names = edited
      .slice(0, 10)
      .map(({ path }) => toText(path))
      .join(', ')
    throw new RepositoryBlockedError(
      `changed since and not committed: ${names}. Commit or stash (git stash) that first`,
    )
  }
  return changes.flatMap(({ path, is }) => (isSameEntry(now.get(path), is) ? [] : [path]))
}

const maxLater = 5

/** Names the commits after this one that changed these files, newest first. */
async function listLater({ run }: Tool, id: string, paths: readonly string[]): Promise<string> {
  const args = [
    'log',
    '-z',
    `--max-count=${maxLater + 1}`,
    '--no-color',
    '--format=%h %s',
    `${checkId(id)}..HEAD`,
    '--',
  ]
  const literal = { env: { GIT_LITERAL_PATHSPECS: '1' } }
  const lines = (await run([...args, ...paths.slice(0, 100)], literal)).toString('utf8').split('\0').filter(Boolean)
  const named = lines.slice(0, maxLater).map((line) => line.replace(/\p{Cc}/gu, ' '))
  return [...named, ...(lines.length > maxLater ? ['…'] : [])].join(', ')
}

const maxBytes = 16 * 1024 * 1024
type Sides = { readonly base: string; readonly ours: string; readonly theirs: string }

/** Merges three trees without touching a file or running a merge driver. Files that both sides changed are merged by line. */
function mergeTrees(
  tool: Tool,
  { base, ours, theirs }: Sides,
): Promise<{ readonly tree: string } | { readonly conflicts: readonly string[] }> {
  return withTempFolder(tool.gitDir, async (folder) => {
    const index = join(folder, 'index')
    await tool.run(['read-tree', '-i', '-m', '--aggressive', base, ours, theirs], { index })
    const open = unmerged(await tool.run(['ls-files', '--unmerged', '-z'], { index }))
    const merged: { path: string; is: Entry }[] = []
    const conflicts: string[] = []
    for (const [path, stages] of open) {
      const entry = await mergeFile(tool, folder, stages)
      if (entry) merged.push({ path, is: entry })
      else conflicts.push(toText(path))
    }
    if (conflicts.length > 0) return { conflicts }
    if (merged.length > 0) await setInIndex(tool, index, merged)
    return { tree: parseId(await tool.run(['write-tree'], { index })) }
  })
}

/** By stage: 1 is the base, 2 ours, 3 theirs. */
type Stages = readonly [unknown?, Entry?, Entry?, Entry?]

function unmerged(output: Buffer): Map<string, Stages> {
  const found = new Map<string, [unknown?, Entry?, Entry?, Entry?]>()
  for (const line of output.toString('latin1').split('\0')) {
    const [, mode, id, stage, path] = /^(\d+) (\w+) ([123])\t(.*)$/s.exec(line) ?? []
    if (mode === undefined || id === undefined || path === undefined) continue
    const stages = found.get(path) ?? []
    stages[Number(stage) as 1 | 2 | 3] = { mode, id }
    found.set(path, stages)
  }
  return found
}

async function mergeFile(tool: Tool, folder: string, [, base, ours, theirs]: Stages): Promise<Entry | undefined> {
  if (!base || !ours || !theirs) return undefined
  const entries = [ours, base, theirs]
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode
  if (!entries.every(isFile)) return undefined
  const files: string[] = []
  for (const [at, { id }] of entries.entries()) {
    const { code, stdout } = await tool.attempt(['cat-file', 'blob', id], { maxBytes, beginning: true })
    if (code !== 0) return undefined
    const file = join(folder, `side-${at}`)
    writeFileSync(file, stdout)
    files.push(file)
  }
  const { code, stdout } = await tool.attempt(['merge-file', '-p', '-q', ...files])
  if (code !== 0 || isSameEntry(ours, theirs)) return undefined
  return { mode, id: parseId(await tool.run(['hash-object', '-w', '--stdin'], { input: stdout })) }
}
