import { RepositoryBlockedError, type Snapshots, type Tree, type VerifiedTree } from '../../../ports/snapshots.ts'
import type { Story } from '../contract/plan.ts'
import { namesFile } from '../core/evidence/findings.ts'
import type { DeliveryTools } from './tools.ts'
import type { TouchedCheck } from './touched.ts'
import { mixTrees } from './weigh.ts'

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
  readonly tools: Pick<DeliveryTools, 'snapshots' | 'findTouched'>
}

/**
 * Restores the tests and settings that an attempt changed, so that the next one is not tempted. What the story names stays, and so do new tests.
 * Returns the paths.
 */
export async function restoreChecks({ base, story, tools }: Restored): Promise<readonly string[]> {
  const { snapshots } = tools
  const tree = await snapshots.take()
  const touched = await tools.findTouched({ base, tree, commands: story.verification })
  const isOwn = ({ role, status }: TouchedCheck): boolean => role === 'test' && status === 'added'
  const taken = touched.filter((one) => !isOwn(one) && !one.isUnsure && !namesFile(story, one.path))
  if (taken.length === 0) return []
  // A folder, a link or a file may be where a test was, or a folder of tests.
  const isInWay = (path: string): boolean =>
    taken.some((one) => one.path.startsWith(`${path}/`) || path.startsWith(`${one.path}/`))
  const { files } = await snapshots.difference(base, tree)
  const inWay = files.filter(({ path, status }) => status === 'added' && isInWay(path)).map(({ path }) => path)
  const whole = { role: 'test', status: 'added', before: undefined, after: undefined } as const
  const all = [...taken, ...inWay.map((path) => ({ path, ...whole }))]
  const paths = [...new Set(all.map(({ path }) => path))]
  await snapshots.restore(await mixTrees(snapshots, { product: tree, checks: base, taken: all }), paths)
  return paths
}
