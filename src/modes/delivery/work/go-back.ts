import { type Kept, RepositoryBlockedError, type Snapshots, type Tree } from '../../../ports/snapshots.ts'

const mostPasses = 100

/**
 * The work tree as it was. What is there now may be somebody's work, so it is kept first: returns where. Pass by pass:
 * a list of changed files is bounded, what an agent can change is not.
 */
export async function goBack(
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
