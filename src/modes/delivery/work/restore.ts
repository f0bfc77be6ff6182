import { type Kept, RepositoryBlockedError, type Snapshots, type Tree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import { findAttemptTampering } from './check-tampering.ts'
import type { DeliveryTools } from './tools.ts'

const mostPasses = 100

/**
 * The work tree as it was. What is there now may be somebody's work, so it is kept first: returns where. Pass by pass:
 * a list of changed files is bounded, what an agent can change is not.
 */
export async function restoreTree(
  snapshots: Snapshots,
  tree: Tree,
  name: Pick<Kept, 'key' | 'subject'>,
): Promise<string | undefined> {
  const now = await snapshots.take()
  if (now === tree) return undefined
  const kept = await snapshots.keep({ ...name, from: tree, to: now, body: 'Not verified.' })
  for (let pass = 0; pass < mostPasses; pass++) {
    const { files } = await snapshots.difference(tree, await snapshots.take())
    if (files.length === 0) return kept
    await snapshots.restore(
      tree,
      files.map(({ path }) => path),
    )
  }
  throw new RepositoryBlockedError('the work tree does not go back to how it was: something keeps changing it')
}

type Restored = {
  /** How it was before the story. */
  readonly base: Tree
  readonly story: Story
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'watch'>
}

const mostRounds = 20

/**
 * What decides verification, as it was before the story. Looked for anew until nothing is found: of an attempt only as
 * much is told as fits an event, and a test that was moved is two files. Only what git sees can be put back: a runner
 * in an ignored folder is named, and left to a person.
 */
export async function restoreTampered({ base, story, tools }: Restored): Promise<void> {
  const { snapshots } = tools
  const watched = await tools.watch(story.verification)
  for (let round = 0; round < mostRounds; round++) {
    const tree = await snapshots.take()
    const found = await findAttemptTampering({ base, tree, watched, story, tools })
    const touched = new Set(found.flatMap(({ path, expected }) => (expected ? [] : [path])))
    if (touched.size === 0) return
    const { files } = await snapshots.difference(base, tree)
    await snapshots.restore(
      base,
      files.flatMap(({ path }) => (touched.has(path) ? [path] : [])),
    )
  }
}
