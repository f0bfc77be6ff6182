import type { ChangedFile } from '../../../ports/repository.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { RunResult } from '../core/event-data.ts'
import { type Alteration, alterTest, mustFail } from '../core/evidence/alter-tests.ts'
import { isManifest, isSplit, mergeParts, pickDependencies } from '../core/evidence/parts.ts'
import { findRole } from '../core/evidence/roles.ts'
import { findTurned, hasFailed } from '../core/evidence/test-ids.ts'
import type { Control, CounterTree, Ran, Weighed } from '../core/evidence/weigh.ts'
import { weighRuns } from '../core/evidence/weigh.ts'
import type { TouchedCheck } from './touched.ts'

export type Weighing = {
  readonly base: Tree
  readonly tree: Tree
  readonly before: Ran
  readonly now: Ran
  /** The output of the failed command before the story. Empty if none failed. */
  readonly said: string
  readonly touched: readonly TouchedCheck[]
  /** The plan names all of them. */
  readonly named: boolean
  /** Globs of test files that a person gave. */
  readonly tests: readonly string[]
  /** `limited`: no longer than a few times the last run. */
  readonly run: (
    name: string,
    on: Tree,
    options?: { readonly limited: boolean },
  ) => Promise<Ran & { readonly said?: string }>
}

/** Compares the work with trees that never existed, in the room. Returns which runs were made and how they ended. */
export async function weighStory(
  snapshots: Snapshots,
  weighing: Weighing,
): Promise<{ readonly weighed: Weighed; readonly runs: readonly RunResult[] }> {
  const { base, tree, before, now, touched, named } = weighing
  if (base === tree) return { weighed: { evidence: 'unproven', because: 'git sees no change' }, runs: [] }
  const { files } = await snapshots.difference(base, tree)
  const runs: RunResult[] = []
  const build = (name: CounterTree): Promise<Tree> => buildTree(snapshots, name, { base, tree, files, touched })

  /** Once more after a red run, because flaky tests show nothing. */
  async function runTwice(name: string, on: Tree): Promise<Ran> {
    const first = await note(name, weighing.run(name, on))
    if (!first.red) return first
    const second = await note(`${name}-again`, weighing.run(`${name}-again`, on))
    return second.red ? second : { ...first, flaky: true }
  }

  async function note(name: string, running: Promise<Ran>): Promise<Ran> {
    const ran = await running
    runs.push({ run: name, ended: ran.red ? 'red' : 'green' })
    return ran
  }

  async function control(on: 'tree' | 'old-checks'): Promise<Control> {
    const proof = on === 'tree' ? tree : await build('old-checks')
    const changed = touched.filter(({ role, status }) => role === 'test' && status !== 'deleted')
    const isNewProof = !before.red || (named && changed.length > 0)
    const tests = isNewProof ? changed.map(({ path }) => path) : await findFailedTests(snapshots, proof, weighing)
    const texts = await snapshots.readAll(proof, tests)
    // Only tests that the story has turned green can show that they fail.
    const turned = findTurned(before.ids, now.ids)

    /**
     * `elsewhere`: only by tests that the story has not turned green. `unclear`: red, but no test says so; perhaps it does not compile. Undefined:
     * there is nothing to alter.
     */
    async function alter(
      how: Alteration,
      of = texts,
    ): Promise<'noticed' | 'unnoticed' | 'elsewhere' | 'unclear' | undefined> {
      const other = alterAll(of, how, weighing.tests)
      if (Object.keys(other).length === 0) return undefined
      const name = how === 'failure' ? 'must-fail' : `altered-${how}`
      const altered = await snapshots.combine(proof, proof, [], other)
      const ran = await note(name, weighing.run(name, altered, { limited: true }))
      if (!ran.red || how === 'failure') return ran.red ? 'noticed' : 'unnoticed'
      if (turned.size === 0) return 'noticed'
      if (!ran.ids) return 'unclear'
      return hasFailed(turned, ran.ids) ? 'noticed' : 'elsewhere'
    }

    // One that no test notices at all gets no second chance.
    let answer: Awaited<ReturnType<typeof alter>>
    for (const how of ['last', 'second', 'everything', 'data'] as const) {
      if (answer !== 'noticed' && answer !== 'unnoticed') answer = (await alter(how)) ?? answer
    }
    if (answer === 'noticed' || answer === 'unclear') {
      const data = await findDataOfProduct(snapshots, proof, { files, tests: weighing.tests })
      return (await alter('data', data)) === 'unnoticed' ? 'unnoticed' : 'noticed'
    }
    // Perhaps the commands have nothing to do with these tests.
    if ((await alter('failure')) === 'unnoticed') return isNewProof || (await areRun(tests)) ? 'disarmed' : 'impossible'
    return answer === undefined ? 'impossible' : 'unnoticed'
  }

  /** Whether the commands run these tests: before the story, the output names them, or shows a failure that is added to them. */
  async function areRun(tests: readonly string[]): Promise<boolean> {
    if (tests.some((path) => weighing.said.includes(path))) return true
    const failing = alterAll(await snapshots.readAll(base, tests), 'failure', weighing.tests)
    const ran = weighing.run('must-fail-before', await snapshots.combine(base, base, [], failing), { limited: true })
    await note('must-fail-before', ran)
    return (await ran).said?.includes(mustFail) ?? false
  }

  const weighed = await weighRuns({
    before,
    now,
    touched: touched.length > 0,
    touchedTests: touched.some(({ role }) => role === 'test'),
    named,
    newDependencies: await hasNewDependencies(snapshots, { base, tree, files }),
    run: async (name) => runTwice(name, await build(name)),
    control,
  })
  return { weighed, runs }
}

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
  const isOldTest = ({ role, status }: TouchedCheck): boolean => role === 'test' && status !== 'added'
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

const maxTests = 500

/** Finds the tests that failed before the story: those that its output names, or else all. Nothing of the agent's ran then. */
async function findFailedTests(snapshots: Snapshots, tree: Tree, { said, tests }: Weighing): Promise<string[]> {
  const all = (await snapshots.list(tree)).filter((path) => findRole(path, tests) === 'test' || isInline.test(path))
  const named = all.filter((path) => said.includes(path))
  const byName = named.length > 0 ? named : all.filter((path) => said.includes(path.slice(path.lastIndexOf('/') + 1)))
  return (byName.length > 0 ? byName : all.filter((path) => !isInline.test(path))).slice(0, maxTests)
}

type Changes = { readonly files: readonly ChangedFile[]; readonly tests: readonly string[] }

/** Finds expected output that a changed product names. A product that prints what it finds there would follow any change of it. */
async function findDataOfProduct(snapshots: Snapshots, tree: Tree, { files, tests }: Changes): Promise<Texts> {
  const isTest = (path: string): boolean => findRole(path, tests) === 'test'
  const isProduct = ({ path, status }: ChangedFile): boolean =>
    status !== 'deleted' && findRole(path, tests) === undefined && !/\.(?:md|txt|rst|adoc)$/.test(path)
  const product = files.filter(isProduct).map(({ path }) => path)
  const text = [...(await snapshots.readAll(tree, product)).values()].join('\n')
  const names = (path: string): readonly string[] => {
    const [folder = '', name = path] = path.split('/').slice(-2)
    return dataFolders.test(folder) ? [folder, name] : [name]
  }
  const named = (await snapshots.list(tree)).filter(
    (path) => isTest(path) && names(path).some((name) => text.includes(name)),
  )
  return snapshots.readAll(tree, named.slice(0, maxTests))
}

const dataFolders = /^(?:testdata|fixtures?|goldens?|expected|baselines)$/

type Texts = ReadonlyMap<string, string>

/** Rust has tests in its sources. */
const isInline = /\.rs$/

function alterAll(texts: Texts, how: Alteration, tests: readonly string[]): Record<string, string> {
  const altered = [...texts].flatMap(([path, text]) => {
    const other = alterTest(path, text, how, findRole(path, tests) === 'test')
    return other === undefined ? [] : [[path, other] as const]
  })
  return Object.fromEntries(altered)
}
