import { RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { textOf } from '../names.ts'
import { openBranch, refuseFiltered } from './branch.ts'
import { findByTrailers } from './find.ts'
import { identityFor } from './identity.ts'
import { mergeTrees } from './merge.ts'
import { messageOf, undoTrailers } from './message.ts'
import { publish } from './publish.ts'
import { commitAt, treeOf } from './refs.ts'
import { restorePaths } from './restore.ts'
import { takeTree } from './take.ts'
import type { Tool } from './tool.ts'
import { type Change, changesBetween, checkedId, entriesOf, same } from './trees.ts'

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
  const message = messageOf({ subject: options.subject, body: `This takes back ${checkedId(id)}.` }, trailers)
  for (let tries = 1; ; tries++) {
    const branch = await openBranch(tool)
    await refuseUnrelated(tool, id)
    const found = await findByTrailers(tool, trailers, id)
    if (found !== undefined) return found
    const env = options.commit ? await identityFor(tool, options.env, undefined) : {}
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
  const { code } = await attempt(['merge-base', '--is-ancestor', checkedId(id), 'HEAD'])
  if (code !== 0) throw new RepositoryBlockedError(`${id} is not on this branch, so there is nothing to take back`)
}

async function withoutCommit(tool: Tool, id: string): Promise<{ tree: string; changes: Change[] }> {
  const [head, parent] = [await commitAt(tool, 'HEAD'), await commitAt(tool, `${id}^1`)]
  if (head === undefined || parent === undefined) {
    throw new RepositoryBlockedError(`${id} is the first commit: there is nothing before it to go back to`)
  }
  const [base, ours, theirs] = [await treeOf(tool, id), await treeOf(tool, head), await treeOf(tool, parent)]
  const tree = await mergeTrees(tool, { base, ours, theirs })
  return { tree, changes: await changesBetween(tool, ours, tree) }
}

/** The paths that are still as HEAD has them. What somebody has edited since is not ours to throw away. */
async function stillToDo(tool: Tool, changes: readonly Change[], ownFolders: readonly string[]): Promise<string[]> {
  const now = await entriesOf(tool, await takeTree(tool, ownFolders))
  const edited = changes.filter(({ path, was, is }) => !same(now.get(path), was) && !same(now.get(path), is))
  if (edited.length > 0) {
    const names = edited
      .slice(0, 10)
      .map(({ path }) => textOf(path))
      .join(', ')
    throw new RepositoryBlockedError(
      `changed since and not committed: ${names}. Commit or put that aside (git stash) first`,
    )
  }
  return changes.flatMap(({ path, is }) => (same(now.get(path), is) ? [] : [path]))
}
