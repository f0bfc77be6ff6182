import type { FailedCommand } from '../../../judging/commands.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { DeliveryPolicy } from '../contract/input.ts'
import type { Story } from '../contract/plan.ts'
import type { Evidence } from '../contract/result.ts'
import { hasRole, mergeManifest, type Ran, weighRuns } from '../core/counterfactual.ts'

/** Runs all commands on a tree; by default on that of the attempt. `name` is for the logs. */
export type RunAll = (name: string, on?: Tree) => Promise<FailedCommand | undefined>

type Weighed = {
  readonly base: Tree
  readonly tree: Tree
  readonly before: Ran
  readonly story: Pick<Story, 'file_focus'>
  readonly policy: Pick<DeliveryPolicy, 'clean_room' | 'tampering'>
}

/** `problem`: the machine could not run the commands. */
type Answer = { readonly evidence: Evidence } | { readonly refused: string } | { readonly problem: string }

const testsAlone = 'the changed tests and settings pass without the rest of the work, so they prove nothing'
const onlyRewritten =
  'its commands pass only with tests or settings that it changed itself; with those from before the story they fail'

/**
 * Says what green commands show. In a clean room they also run on the new product with the old tests, and on the old product with the new
 * tests, as far as that decides anything. Flaky tests never prove a story: the old tests count as red after one red run, the old product only
 * after two.
 */
export async function weighStory(
  snapshots: Snapshots,
  { base, tree, before, story, policy }: Weighed,
  runAll: RunAll,
): Promise<Answer> {
  if (base === tree) return { evidence: 'unproven' }
  const { files } = !policy.clean_room ? { files: [] } : await snapshots.difference(base, tree)
  const roles = files.map(({ path }) => path).filter(hasRole)
  let problem: string | undefined
  const isRed = async (name: string, on: Tree): Promise<boolean> => {
    const failed = await runAll(name, on)
    if (failed?.exit.exhausted) problem = failed.exit.detail ?? 'the machine is out of something'
    return failed !== undefined
  }
  const toRan = (red: boolean): Ran => (red ? 'red' : 'green')
  const evidence = await weighRuns({
    before,
    touched: roles.length > 0,
    named: roles.every((path) => story.file_focus.includes(path)),
    oldTests: async () => toRan(await isRed('old-tests', await withRoles(snapshots, tree, base, roles))),
    oldProduct: async () => {
      const on = await withRoles(snapshots, base, tree, roles)
      return toRan((await isRed('old-product', on)) && (await isRed('old-product-again', on)))
    },
  })
  if (problem !== undefined) return { problem }
  if (evidence === 'refused') return { refused: testsAlone }
  return evidence === 'rewritten' && policy.tampering === 'block' ? { refused: onlyRewritten } : { evidence }
}

/** Returns a tree with the files that decide verification taken from another one. A manifest keeps the dependencies of its own product. */
async function withRoles(snapshots: Snapshots, product: Tree, tests: Tree, roles: readonly string[]): Promise<Tree> {
  const texts: Record<string, string> = {}
  for (const path of roles.filter((one) => /(?:^|\/)package\.json$/.test(one))) {
    const [own, other] = [await snapshots.read(product, path), await snapshots.read(tests, path)]
    const merged = own !== undefined && other !== undefined ? mergeManifest(other, own) : undefined
    if (merged !== undefined) texts[path] = merged
  }
  const whole = roles.filter((path) => !Object.hasOwn(texts, path))
  return snapshots.combine(product, tests, whole, texts)
}
