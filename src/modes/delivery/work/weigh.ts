import type { FailedCommand } from '../../../judging/commands.ts'
import type { ChangedFile } from '../../../ports/repository.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { OtherRun } from '../contract/result.ts'
import { isManifest, isSplit, mergeParts, pickDependencies } from '../core/evidence/parts.ts'
import { areRenamed } from '../core/evidence/renames.ts'
import { findRole, hasAssertions, usesTestFramework } from '../core/evidence/roles.ts'
import type { CounterTree, Ran, Weighed } from '../core/evidence/weigh.ts'
import { sameTree, weighRuns } from '../core/evidence/weigh.ts'
import { controlTests } from './control.ts'
import type { TouchedCheck } from './touched.ts'
import type { RanOn, Weighing } from './weighing.ts'

/** Thrown by a run for which no time is left. */
export class OutOfTimeError extends Error {}

export const outOfTime = 'its time was up while its tests were tried: allow more time per story'

/**
 * Compares the work with trees that never existed, in the room. Returns which runs were made and how they ended. Without the time for all of them,
 * nothing is proved.
 */
export async function weighStory(
  snapshots: Snapshots,
  weighing: Weighing,
): Promise<{
  readonly weighed: Weighed
  readonly runs: readonly OtherRun[]
  readonly failed?: FailedCommand | undefined
}> {
  const { base, tree, before, now, isStillRed, named } = weighing
  const touched = weighing.touched.filter(({ isUnsure }) => !isUnsure)
  if (base === tree) return { weighed: { evidence: 'unproven', because: sameTree }, runs: [] }
  const { files } = await snapshots.difference(base, tree)
  const runs: OtherRun[] = []
  const build = (name: CounterTree): Promise<Tree> => buildTree(snapshots, name, { base, tree, files, touched })

  /** Once more after a red run, because flaky tests show nothing. */
  async function runTwice(name: string, on: Tree): Promise<RanOn> {
    const first = await note(name, weighing.run(name, on))
    if (!first.red) return first
    const second = await note(`${name}-again`, weighing.run(`${name}-again`, on))
    return second.red ? second : { ...first, flaky: true }
  }

  async function note<Kind extends Ran>(name: string, running: Promise<Kind>): Promise<Kind> {
    const ran = await running
    const ended = ran.red ? 'red' : 'green'
    // Each assertion that is altered takes a run.
    const last = runs.at(-1)
    const isRepeated = last?.run === name && last.ended === ended
    if (isRepeated) runs[runs.length - 1] = { ...last, times: (last.times ?? 1) + 1 }
    else runs.push({ run: name, ended })
    return ran
  }

  const made: Partial<Record<CounterTree, RanOn>> = {}
  const weighed = await weighRuns({
    before,
    now,
    isStillRed,
    touched: touched.length > 0,
    named,
    onlyChecks: touched.length > 0 && (await build('old-product')) === tree,
    oldTests: touched.some(({ role, status }) => role === 'test' && status !== 'added'),
    firstTests:
      before.red &&
      touched.length > 0 &&
      (bringsNamedTests(touched, before) || !(await hasTests(snapshots, base, weighing.tests))),
    newDependencies: await hasNewDependencies(snapshots, { base, tree, files }),
    areRenamed: async () => {
      const paths = files.map(({ path }) => path).filter((path) => !weighing.touched.some((one) => one.path === path))
      const [was, is] = [await snapshots.readAll(base, paths), await snapshots.readAll(tree, paths)]
      const product = paths.map((path) => ({ path, before: was.get(path), after: is.get(path) }))
      return areRenamed(weighing.touched, product)
    },
    run: async (name) => (made[name] = await runTwice(name, await build(name))),
    control: async (on) => {
      // Tests that came with the story are not there with the old checks.
      const proof =
        on === 'tree' ? { proof: tree, now } : { proof: await build('old-checks'), now: made['old-checks'] ?? now }
      const only = before.failed ?? made['old-product']?.failed
      return controlTests(snapshots, { ...weighing, touched, files, note, only, ...proof })
    },
  }).catch((error: unknown): Weighed => {
    if (!(error instanceof OutOfTimeError)) throw error
    // Nothing has shown that changes to old tests do no harm.
    const isRewritten = touched.some(({ status }) => status !== 'added')
    return { evidence: isRewritten ? 'rewritten' : before.red ? 'unproven' : 'held', because: outOfTime }
  })
  const failed = 'refused' in weighed && weighed.shownBy ? made[weighed.shownBy]?.problem : undefined
  return { weighed: touched.length < weighing.touched.length ? withoutProof(weighed) : weighed, runs, failed }
}

/** Whether new tests are all that a story touched of the checks, and its command names one of them: no test failed before, it was not there. */
const bringsNamedTests = (touched: readonly TouchedCheck[], { failed = '', ids }: Ran): boolean =>
  (ids?.failed.size ?? 0) === 0 &&
  touched.every(({ role, status }) => role === 'test' && status === 'added') &&
  touched.some(({ path }) => failed.includes(path))

/** Whether a tree has tests, or scripts that may be some. */
async function hasTests(snapshots: Snapshots, tree: Tree, tests: readonly string[]): Promise<boolean> {
  const paths = await snapshots.list(tree)
  // The path of a submodule is that of a folder.
  const findAny = (path: string): string => findRole(path, tests) ?? findRole(`${path}/`, tests) ?? ''
  if (paths.some((path) => ['test', 'script', 'runner'].includes(findAny(path)))) return true
  return [...(await snapshots.readAll(tree, paths.slice(0, maxRead))).values()].some(
    (text) => usesTestFramework(text) || hasAssertions(text),
  )
}
const maxRead = 2000

/** What may be a check was changed, and cannot be tried out. */
const withoutProof = (weighed: Weighed): Weighed =>
  'evidence' in weighed && weighed.evidence.startsWith('proven') ? { evidence: 'rewritten' } : weighed

type Trees = {
  readonly base: Tree
  readonly tree: Tree
  readonly files: readonly ChangedFile[]
  readonly touched: readonly TouchedCheck[]
}

/** Builds a tree of the product of one and the checks of the other. Dependencies are always the new ones. */
async function buildTree(
  snapshots: Snapshots,
  name: CounterTree,
  { base, tree, files, touched }: Trees,
): Promise<Tree> {
  // A helper asks nothing.
  const isOldTest = ({ role, status, before }: TouchedCheck): boolean =>
    role === 'test' && status !== 'added' && (before === undefined || hasAssertions(before))
  const taken =
    name === 'old-tests'
      ? touched.filter(isOldTest)
      : touched.filter((one) => name !== 'old-product-and-tests' || !isOldTest(one))
  const isNewProduct = name === 'old-checks' || name === 'old-tests'
  if (isNewProduct) return mixTrees(snapshots, { product: tree, checks: base, taken })
  const installed = files.filter(({ path, status }) => isManifest(path) && status !== 'deleted')
  const manifests = installed.flatMap(({ path, status }) => (isSplit(path) && status === 'modified' ? [path] : []))
  const locks = installed.flatMap(({ path }) => (isSplit(path) ? [] : [path]))
  const own = name === 'new-dependencies' ? [] : taken
  return mixTrees(snapshots, { product: base, checks: tree, taken: own, locks, manifests })
}

type Mixed = {
  readonly product: Tree
  readonly checks: Tree
  /** The checks that the tree gets, whole or in part. */
  readonly taken: readonly TouchedCheck[]
  readonly locks?: readonly string[]
  readonly manifests?: readonly string[]
}

/** Makes a tree of the product of one and these checks of the other. */
export async function mixTrees(
  snapshots: Snapshots,
  { product, checks, taken, locks = [], manifests = [] }: Mixed,
): Promise<Tree> {
  const parts = taken.filter(({ isPart }) => isPart).map(({ path }) => path)
  const paths = [...new Set([...parts, ...manifests])]
  const [own, other] = [await snapshots.readAll(product, paths), await snapshots.readAll(checks, paths)]
  const texts: Record<string, string> = {}
  for (const path of paths) {
    const [mine, theirs] = [own.get(path), other.get(path)]
    const merged = mergeParts(
      path,
      mine,
      parts.includes(path) ? theirs : mine,
      manifests.includes(path) ? theirs : mine,
    )
    if (merged !== undefined && mine !== undefined) texts[path] = merged
  }
  // A part that is new has nothing to be merged with. One that stays as it is needs nothing.
  const whole = taken.flatMap(({ path, isPart }) => (isPart && own.has(path) ? [] : [path]))
  return snapshots.combine(product, checks, [...whole, ...locks], texts)
}

async function hasNewDependencies(
  snapshots: Snapshots,
  { base, tree, files }: Omit<Trees, 'touched'>,
): Promise<boolean> {
  const paths = files.map(({ path }) => path).filter(isManifest)
  const [was, is] = [await snapshots.readAll(base, paths), await snapshots.readAll(tree, paths)]
  const pick = (path: string, text = ''): string => JSON.stringify(pickDependencies(path, text))
  return paths.some((path) => pick(path, was.get(path)) !== pick(path, is.get(path)))
}
