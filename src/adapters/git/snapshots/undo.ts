import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { toText } from '../paths.ts'
import { buildMessage, findByTrailers, findCommit, readTree, undoTrailers } from './commits.ts'
import { requireIdentity } from './identity.ts'
import { openBranch, publish, refuseFiltered } from './publish.ts'
import { restorePaths } from './restore.ts'
import { takeTree } from './take.ts'
import { withTempFolder } from './temp-index.ts'
import type { Tool } from './tool.ts'
import {
  type Change,
  changesBetween,
  checkId,
  type Entry,
  isSameEntry,
  listEntries,
  parseId,
  setInIndex,
} from './trees.ts'

const mostTries = 5

export type UndoOptions = {
  readonly commit: boolean
  readonly key: string
  readonly subject: string
  readonly ownFolders: readonly string[]
  readonly env: NodeJS.ProcessEnv
}

/** Takes back what a commit did, out of HEAD as it is now. Killed anywhere, the next call goes on. */
export async function undoCommit(tool: Tool, id: string, options: UndoOptions): Promise<string | null> {
  const trailers = undoTrailers(options.key)
  const message = buildMessage({ subject: options.subject, body: `This takes back ${checkId(id)}.` }, trailers)
  for (let tries = 1; ; tries++) {
    const branch = await openBranch(tool)
    await refuseUnrelated(tool, id)
    const found = await findByTrailers(tool, trailers, id)
    if (found !== undefined) return found
    const env = options.commit ? await requireIdentity(tool, options.env, undefined) : {}
    const { tree, changes } = await withoutCommit(tool, id)
    if (changes.length === 0) return null
    await refuseFiltered(tool, changes, 'take it back by hand (git revert)')
    await restorePaths(tool, tree, await stillToDo(tool, changes, options.ownFolders))
    if (!options.commit) return null
    const made = await publish(tool, { branch, changes, message, env }, tries > 1)
    if (made !== 'moved') return made.commit
    if (tries === mostTries) throw new RepositoryBlockedError(`${branch} is moved by somebody else all the time`)
  }
}

async function refuseUnrelated({ attempt }: Tool, id: string): Promise<void> {
  const { code } = await attempt(['merge-base', '--is-ancestor', checkId(id), 'HEAD'])
  if (code !== 0) throw new RepositoryBlockedError(`${id} is not on this branch, so there is nothing to take back`)
}

async function withoutCommit(tool: Tool, id: string): Promise<{ tree: string; changes: Change[] }> {
  const [head, parent] = [await findCommit(tool, 'HEAD'), await findCommit(tool, `${id}^1`)]
  if (head === undefined || parent === undefined) {
    throw new RepositoryBlockedError(`${id} is the first commit: there is nothing before it to go back to`)
  }
  const [base, ours, theirs] = [await readTree(tool, id), await readTree(tool, head), await readTree(tool, parent)]
  const tree = await mergeTrees(tool, { base, ours, theirs })
  return { tree, changes: await changesBetween(tool, ours, tree) }
}

/** The paths that are still as HEAD has them. What somebody has edited since is not ours to throw away. */
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
      `changed since and not committed: ${names}. Commit or put that aside (git stash) first`,
    )
  }
  return changes.flatMap(({ path, is }) => (isSameEntry(now.get(path), is) ? [] : [path]))
}

const mostBytes = 16 * 1024 * 1024
type Sides = { readonly base: string; readonly ours: string; readonly theirs: string }

/**
 * A merge of three trees that touches no file and asks no merge driver: git decides what only one side has changed,
 * and lines are merged where both have.
 */
function mergeTrees(tool: Tool, { base, ours, theirs }: Sides): Promise<string> {
  return withTempFolder(tool.gitDir, async (workshop) => {
    const index = join(workshop, 'index')
    await tool.run(['read-tree', '-i', '-m', '--aggressive', base, ours, theirs], { index })
    const open = unmerged(await tool.run(['ls-files', '--unmerged', '-z'], { index }))
    const merged: [string, Entry][] = []
    const conflicts: string[] = []
    for (const [path, stages] of open) {
      const entry = await mergeFile(tool, workshop, stages)
      if (entry) merged.push([path, entry])
      else conflicts.push(toText(path))
    }
    if (conflicts.length > 0) {
      throw new RepositoryBlockedError(`something later builds on it in ${conflicts.join(', ')}: take that back first`)
    }
    if (merged.length > 0) await setInIndex(tool, index, merged)
    return parseId(await tool.run(['write-tree'], { index }))
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

async function mergeFile(tool: Tool, workshop: string, [, base, ours, theirs]: Stages): Promise<Entry | undefined> {
  if (!base || !ours || !theirs) return undefined
  const entries = [ours, base, theirs]
  const mode = ours.mode === base.mode ? theirs.mode : ours.mode
  if (!entries.every((entry) => entry.mode.startsWith('100'))) return undefined
  const files: string[] = []
  for (const [at, { id }] of entries.entries()) {
    const { code, stdout } = await tool.attempt(['cat-file', 'blob', id], { maxBytes: mostBytes, beginning: true })
    if (code !== 0) return undefined
    const file = join(workshop, `side-${at}`)
    writeFileSync(file, stdout)
    files.push(file)
  }
  const { code, stdout } = await tool.attempt(['merge-file', '-p', '-q', ...files])
  if (code !== 0 || isSameEntry(ours, theirs)) return undefined
  return { mode, id: parseId(await tool.run(['hash-object', '-w', '--stdin'], { input: stdout })) }
}
