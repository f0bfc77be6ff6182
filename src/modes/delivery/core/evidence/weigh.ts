import type { Evidence } from '../../contract/result.ts'
import { findUnsolved, turnedGreen } from './compare-ids.ts'
import type { TestIds } from './test-ids.ts'

/** How the commands ended on a tree. */
export type Ran = {
  readonly red: boolean
  /** The command that failed. */
  readonly failed?: string | undefined
  /** Results of single tests, if the output names them. */
  readonly ids?: TestIds | undefined
  /** Two runs on the same tree ended differently. */
  readonly flaky?: true | undefined
  /** Tests that other stories are to turn green have failed, which is no matter. */
  readonly isPartial?: boolean | undefined
}

/**
 * How the tests answered to altered values. `noticed`: they failed. `partly`: those that were altered in time failed. `unnoticed`: they stayed green. `disarmed`: even a test that must fail was green.
 * `impossible`: there are no tests. `untried`: there are, and nothing in them can be altered. `unstable`: they fail with a comment more, too. `mixed`:
 * tests failed in which nothing was altered.
 */
export type Control = 'noticed' | 'partly' | 'unnoticed' | 'disarmed' | 'impossible' | 'untried' | 'unstable' | 'mixed'

/** The commands are green on the tree that is to be committed. The other trees never existed. */
export type Runs = {
  /** On the tree from before the story. */
  readonly before: Ran
  /** On the tree to be committed. */
  readonly now: Ran
  /** Tests that failed before fail still, and none of them passes now. For what the story does, `before` counts as green. */
  readonly isStillRed: boolean
  /** The story changed tests, settings or other files that decide verification. */
  readonly touched: boolean
  /** The plan names all of those files. */
  readonly named: boolean
  /** The story changed nothing else. */
  readonly onlyChecks: boolean
  /** Among them are tests from before the story. */
  readonly oldTests: boolean
  /** Before the story nothing was asked: it brings the first tests of the repository, or those that its command names and did not find. */
  readonly firstTests: boolean
  /** The story changed dependencies, so that others are installed. */
  readonly newDependencies: boolean
  /** Whether the touched checks ask for the same as before, of what has another name now. */
  areRenamed(): Promise<boolean>
  run(tree: CounterTree): Promise<Ran>
  control(on: 'tree' | 'old-checks'): Promise<Control>
}

/**
 * Trees that are made of two, in the words of people. Checks are tests and settings; in the last two, only tests that were there before the story
 * are the old ones.
 */
export type CounterTree = 'new-dependencies' | 'old-checks' | 'old-product' | 'old-tests' | 'old-product-and-tests'

/** `restore`: changed tests and settings are to blame, and have to be restored. `shownBy`: what failed in this run tells why. */
export type Weighed =
  | { readonly evidence: Evidence; readonly because?: string }
  | { readonly refused: string; readonly restore?: true; readonly shownBy?: CounterTree }

const refusals = {
  dependencies: 'the new dependencies alone make its commands pass, so they prove nothing',
  testsAlone: 'the changed tests and settings pass without the rest of the work, so they prove nothing',
  oldTests: 'its commands still fail with the tests and settings from before the story',
  disarmed:
    'its commands pass even with a failing test that was added to its tests: something ends them early, or hides failures',
} as const

/** Says what the runs show. Makes no more of them than the answer needs. The order is that of docs/deliver.md. */
export async function weighRuns(runs: Runs): Promise<Weighed> {
  const { before, touched } = runs
  if (runs.newDependencies && before.red && !(await runs.run('new-dependencies')).red)
    return { refused: refusals.dependencies }
  if (!touched && runs.isStillRed) return { evidence: 'unproven', because: 'no test that failed before passes now' }
  if (!touched) return before.red ? controlled(runs, 'tree', runs.now) : { evidence: 'held' }
  const oldChecks = await runs.run('old-checks')
  if (oldChecks.flaky) return { evidence: 'held', because: flaky }
  if (!oldChecks.red) return before.red ? controlled(runs, 'old-checks', oldChecks) : weighNewTests(runs)
  return before.red ? weighContradiction(runs, oldChecks) : weighChange(runs)
}

/** Red before, green now: a proof, if these tests can fail. */
async function controlled({ before, now, control }: Runs, on: 'tree' | 'old-checks', proof: Ran): Promise<Weighed> {
  const [unsolved] = findUnsolved(before.ids, proof.ids, now.isPartial ?? false)
  if (unsolved !== undefined)
    return { evidence: 'unproven', because: `a test that failed before does not pass now: ${unsolved.slice(0, 80)}` }
  switch (await control(on)) {
    case 'noticed':
      return { evidence: 'proven' }
    case 'partly':
      return { evidence: 'proven', because: partly }
    case 'impossible':
      return { evidence: 'proven', because: 'not controlled: no test of the repository decides' }
    case 'untried':
      return { evidence: 'unproven', because: 'its tests have no values that can be altered' }
    case 'unnoticed':
      return { evidence: 'unproven', because: 'its tests pass with altered values too' }
    case 'unstable':
      return { evidence: 'unproven', because: unstable }
    case 'mixed':
      return { evidence: 'unproven', because: mixed }
    case 'disarmed':
      return { refused: refusals.disarmed, restore: true }
  }
}

/** Said of a story whose tree is that from before it. */
export const sameTree = 'git sees no change'

const isNoticed = async (control: Runs['control']): Promise<boolean> =>
  ['noticed', 'partly'].includes(await control('tree'))

const flaky = 'its tests are flaky'
const partly = 'there was no time to alter each of its assertions'
const mixed = 'tests fail in which nothing was altered, as soon as another one fails'
const unstable =
  'its tests fail if a comment is added to them (if a linter minds it, give the linter a command of its own)'

/** Green before, and still green with the old tests: do the new ones show anything? */
async function weighNewTests({ run, control }: Runs): Promise<Weighed> {
  const oldProduct = await run('old-product')
  if (oldProduct.flaky) return { evidence: 'held', because: flaky }
  if (!oldProduct.red) return { evidence: 'held', because: 'its new tests pass without the rest of the work too' }
  switch (await control('tree')) {
    case 'noticed':
      return { evidence: 'proven_by_new_tests' }
    case 'partly':
      return { evidence: 'proven_by_new_tests', because: partly }
    case 'disarmed':
      return { refused: refusals.disarmed, restore: true }
    case 'unstable':
      return { evidence: 'held', because: unstable }
    case 'mixed':
      return { evidence: 'held', because: mixed }
    case 'unnoticed':
    case 'untried':
    case 'impossible':
      return { evidence: 'held', because: 'its new tests pass with altered values too' }
  }
}

/** Green before, and the old tests fail now: what the product does has changed. */
async function weighChange({ named, areRenamed, run, control }: Runs): Promise<Weighed> {
  if (!named && (await areRenamed())) return { evidence: 'held', because: 'its tests only follow new names' }
  if (!named) return { evidence: 'rewritten' }
  const oldProduct = await run('old-product')
  if (!oldProduct.red || oldProduct.flaky) return { evidence: 'held' }
  return (await isNoticed(control)) ? { evidence: 'proven_by_new_tests' } : { evidence: 'rewritten' }
}

/** Red before, and still red with the old tests: was the question changed instead of the answer? */
async function weighContradiction(runs: Runs, oldChecks: Ran): Promise<Weighed> {
  const { before, now, named, onlyChecks, oldTests, firstTests, run, control } = runs
  if (firstTests) {
    const weighed = await weighNewTests(runs)
    return 'evidence' in weighed && weighed.evidence === 'held' ? { ...weighed, evidence: 'unproven' } : weighed
  }
  if (onlyOthersFail(before, oldChecks, now)) return { evidence: 'rewritten' }
  if (named) {
    const oldProduct = await run('old-product')
    // The plan may ask for nothing but another test or setting.
    if (!oldProduct.red && !onlyChecks) return { refused: refusals.testsAlone, restore: true }
    // A story that changes old tests changes the question.
    const isNew = oldProduct.red && !oldProduct.flaky && !oldTests
    return { evidence: isNew && (await isNoticed(control)) ? 'proven_by_new_tests' : 'rewritten' }
  }
  // New files or settings may be what the old tests need: then the product must still make the difference.
  if (!(await run('old-tests')).red && (await run('old-product-and-tests')).red) {
    if ((await control('tree')) !== 'disarmed') return { evidence: 'rewritten' }
  }
  return { refused: refusals.oldTests, restore: true, shownBy: 'old-checks' }
}

/** All that was red is green, even with the old tests; only tests that were green before contradict the story. */
function onlyOthersFail(before: Ran, oldChecks: Ran, now: Ran): boolean {
  if (!before.ids || !oldChecks.ids || !now.ids || before.ids.failed.size === 0) return false
  const turned = turnedGreen(before.ids, now.ids)
  return (
    turned.size > 0 && turned.isSubsetOf(oldChecks.ids.passed) && oldChecks.ids.failed.isSubsetOf(before.ids.passed)
  )
}
