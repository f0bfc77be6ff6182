import { RepositoryBlockedError, type Snapshots, type Tree, type VerifiedTree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import { findTampering } from './check-tampering.ts'
import type { DeliveryTools } from './tools.ts'

const maxPasses = 100

/**
 * Restores the work tree. Saves its current state first, in case a person needs it, and returns that commit. Needs several
 * passes, because a list of changed files is limited and an agent's changes are not.
 */
export async function restoreTree(
  snapshots: Snapshots,
  tree: Tree,
  name: Pick<VerifiedTree, 'key' | 'subject'>,
): Promise<string | undefined> {
  const now = await snapshots.take()
  if (now === tree) return undefined
  const kept = await snapshots.keep({ ...name, from: tree, to: now, body: 'Not verified.' })
  for (let pass = 0; pass < maxPasses; pass++) {
    const { files } = await snapshots.difference(tree, await snapshots.take())
    if (files.length === 0) return kept
    await snapshots.restore(
      tree,
      files.map(({ path }) => path),
    )
  }
  throw new RepositoryBlockedError('cannot restore the work tree: another process keeps changing it')
}

type Restored = {
  /** The tree before the story. */
  readonly base: Tree
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'watch' | 'findTouched'>
}

const maxRounds = 20

/**
 * Restores the files that decide verification. Repeats until nothing is found, because an event lists only some of them
 * and a moved test is two files. Files that git does not track, such as a runner in an ignored folder, are only reported.
 */
export async function restoreTampered({ base, story, tools }: Restored): Promise<void> {
  const { snapshots } = tools
  const watched = await tools.watch(story.verification)
  for (let round = 0; round < maxRounds; round++) {
    const tree = await snapshots.take()
    const found = await findTampering({ base, tree, watched, story, tools })
    const touched = new Set(found.flatMap(({ path, expected }) => (expected ? [] : [path])))
    if (touched.size === 0) return
    const { files } = await snapshots.difference(base, tree)
    await snapshots.restore(
      base,
      files.flatMap(({ path }) => (touched.has(path) ? [path] : [])),
    )
  }
}
