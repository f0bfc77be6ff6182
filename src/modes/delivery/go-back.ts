import { RepositoryBlockedError, type Snapshots, type Tree } from '../../ports/snapshots.ts'

const mostPasses = 100

/** The work tree as it was. Pass by pass: a list of changed files is bounded, what an agent can change is not. */
export async function goBack(snapshots: Snapshots, tree: Tree): Promise<void> {
  for (let pass = 0; pass < mostPasses; pass++) {
    const { files } = await snapshots.difference(tree, await snapshots.take())
    if (files.length === 0) return
    await snapshots.restore(
      tree,
      files.map(({ path }) => path),
    )
  }
  throw new RepositoryBlockedError('the work tree does not go back to how it was: something keeps changing it')
}
