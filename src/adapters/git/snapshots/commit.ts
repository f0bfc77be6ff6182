import { type Kept, RepositoryBlockedError } from '../../../ports/snapshots.ts'
import { openBranch, refuseFiltered } from './branch.ts'
import { findByTrailers } from './find.ts'
import { identityFor, identityOrOwn, type Person } from './identity.ts'
import { messageOf, refOf, storyTrailers } from './message.ts'
import { publish } from './publish.ts'
import { commitAt, makeCommit, moveRef, treeOf } from './refs.ts'
import { syncObjects } from './sync.ts'
import type { Tool } from './tool.ts'
import { changesBetween, checkedId } from './trees.ts'

const mostTries = 5

/** As a commit under a ref of our own. */
export async function keepStory(tool: Tool, kept: Kept, env: NodeJS.ProcessEnv): Promise<string> {
  const [ref, tree] = [refOf(kept.key), checkedId(kept.to)]
  for (let tries = 1; ; tries++) {
    const before = await commitAt(tool, ref)
    if (before !== undefined && (await treeOf(tool, before)) === tree) return before
    const parent = await commitAt(tool, 'HEAD')
    const person = await identityOrOwn(tool, env)
    const message = messageOf(kept, storyTrailers(kept.key))
    await syncObjects(tool, kept.from, tree)
    const commit = await makeCommit(tool, { tree, parent, message, env: person })
    if (await moveRef(tool, { ref, to: commit, from: before, why: 'keep', env: person })) return commit
    if (tries === mostTries) throw new RepositoryBlockedError(`${ref} is moved by somebody else all the time`)
  }
}

export type CommitOptions = { readonly author: Person | undefined; readonly env: NodeJS.ProcessEnv }

/** As a commit on the branch, once. */
export async function commitStory(tool: Tool, kept: Kept, options: CommitOptions): Promise<string | null> {
  const trailers = storyTrailers(kept.key)
  for (let tries = 1; ; tries++) {
    const branch = await openBranch(tool)
    const found = await findByTrailers(tool, trailers)
    if (found !== undefined) return found
    const changes = await changesBetween(tool, kept.from, kept.to)
    if (changes.length === 0) return null
    const env = await identityFor(tool, options.env, options.author)
    await keptByHand(tool, kept, changes, options)
    await syncObjects(tool, kept.from, kept.to)
    const made = await publish(tool, { branch, changes, message: messageOf(kept, trailers), env }, tries > 1)
    if (made !== 'moved') return made.commit
    if (tries === mostTries) throw new RepositoryBlockedError(`${branch} is moved by somebody else all the time`)
  }
}

async function keptByHand(
  tool: Tool,
  kept: Kept,
  changes: Awaited<ReturnType<typeof changesBetween>>,
  { env }: CommitOptions,
): Promise<void> {
  try {
    await refuseFiltered(tool, changes, `it is kept as ${refOf(kept.key)}, commit it by hand`)
  } catch (error) {
    await keepStory(tool, kept, env)
    throw error
  }
}
