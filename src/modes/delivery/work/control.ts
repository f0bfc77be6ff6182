import type { Snapshots } from '../../../ports/snapshots.ts'
import { type Alteration, alterTests, countAlterations, isTest, listTests } from '../core/evidence/alter-tests.ts'
import { findTurned, findUnnoticed, isNamed } from '../core/evidence/compare-ids.ts'
import type { Texts } from '../core/evidence/roles.ts'
import type { Control } from '../core/evidence/weigh.ts'
import { areRun, findBehind, listPassing, usesGit } from './base-runs.ts'
import { findExpectedData, findTests } from './find-tests.ts'
import type { Controlled } from './weighing.ts'

/**
 * Tries whether the tests can fail: each assertion of those that the story has turned green, as far as time allows. What was altered has to fail,
 * and nothing else.
 */
export async function controlTests(snapshots: Snapshots, controlled: Controlled): Promise<Control> {
  const { proof, files, note, before, now, ms, touched, named, tests, said } = controlled
  const own = touched.filter(({ role, status }) => role === 'test' && status !== 'deleted')
  const isNewProof = !before.red || (named && own.length > 0)
  const found = isNewProof
    ? { failed: own.map(({ path }) => path), all: [], isNamed: false }
    : await findTests(snapshots, proof, controlled)
  // Tests of other stories may be in files that cannot be loaded yet.
  const loaded = found.failed.filter((path) => !now.isPartial || !now.ids?.failed.has(path))
  const texts = await snapshots.readAll(proof, loaded.length > 0 ? loaded : found.failed)
  const names = new Set(
    (await snapshots.list(controlled.base)).flatMap((path) => [path, path.slice(path.lastIndexOf('/') + 1)]),
  )
  const turned = await findTurnedTests()
  const seed = Math.floor(Math.random() * 2 ** 31)
  const options = { seed, namesFile: (text: string) => names.has(text), tests }
  const isSlow = ms > slowMs
  let open = turned
  let isComplete = true

  async function alter(of: Texts, how: Alteration, { only = controlled.only, ...given }: Partial<Turn>) {
    const { texts: others, altered } = alterTests(of, how, { ...options, ...given })
    if (Object.keys(others).length === 0) return undefined
    const on = await snapshots.combine(proof, proof, [], others)
    const withoutHistory = how === 'comment' && given.turn === 0
    const ran = await note(nameOf[how], controlled.run(nameOf[how], on, { withoutHistory, only }))
    // A failed compilation says nothing about the product.
    if (ran.red && how === 'values' && isBroken.test(ran.said ?? '') && !isBroken.test(said)) return undefined
    return { ...ran, altered }
  }

  /** Tests that did not run before the story, because a file beside them was no code yet, may well have passed. */
  async function findTurnedTests(): Promise<ReadonlySet<string>> {
    const all = findTurned(before.ids, now.ids)
    const own = [...texts].flatMap(([path, text]) => listTests(path, text))
    const beside = [...all.difference(before.ids?.failed ?? all)].filter((id) => !own.some((name) => isNamed(id, name)))
    return beside.length > 0 && !isNewProof ? all.difference(await listPassing(snapshots, texts, controlled)) : all
  }

  type Answer = 'noticed' | 'unnoticed' | 'mixed' | undefined

  /** Alters one assertion of each test, or of one file if the output names no tests: another one must not answer for it. */
  async function tryTurn(of: Texts, { isAgain, ...how }: Turn): Promise<Answer> {
    const { turn, isOne } = how
    const paths = [...of.keys()]
    const one = isOne ? paths[turn % paths.length] : undefined
    const ran =
      one === undefined
        ? await alter(of, 'values', how)
        : await alter(new Map([[one, of.get(one)!]]), 'values', { ...how, turn: Math.floor(turn / paths.length) })
    if (ran === undefined) return undefined
    if (!ran.red) return 'unnoticed'
    if (!ran.ids || isOne) return 'noticed'
    const { ids, altered } = ran
    open = open.intersection(
      findUnnoticed(turned, ids, now.ids ?? noTests, (id) => paths.some((path) => id.endsWith(path))),
    )
    const quiet = altered.filter((name) => !isOf(name, ids.failed))
    // A test was altered, and passed all the same.
    if (quiet.some((name) => isOf(name, ids.passed))) return 'unnoticed'
    const others = [...of].flatMap(([path, text]) => listTests(path, text)).filter((name) => !altered.includes(name))
    const infected = others.some((name) =>
      [...ids.failed].some(
        (id) => isNamed(id, name) && now.ids?.passed.has(id) && !altered.some((other) => isNamed(id, other)),
      ),
    )
    if (infected && !isAgain) return 'mixed'
    // Some runners stop at the first file that fails, and some name only failures: the others by themselves.
    const noticed = altered.filter((name) => isOf(name, ids.failed))
    if (quiet.length === 0 || noticed.length === 0) return 'noticed'
    const skips = how.skips.union(new Set(noticed))
    return (await tryTurn(of, { ...how, skips, isAgain: true })) ?? 'noticed'
  }

  async function tryAll(given: Texts, only?: string): Promise<Answer> {
    const isOne = turned.size === 0 && (found.isNamed || given.size <= maxAlone)
    // Fixtures and helpers that several tests use stay.
    const asking = new Map([...given].filter(([path, text]) => listTests(path, text).length > 0))
    const of = isOne || asking.size === 0 ? given : asking
    const counts = [...of].map(([path, text]) =>
      countAlterations(path, text, { seed, isOne, isTest: isTest(path, text, tests) }),
    )
    // Tests that the story has not turned green need not fail, and those of other stories may.
    const ids = now.ids?.passed.union(now.ids.failed)
    const names = [...of].flatMap(([path, text]) => listTests(path, text))
    const isOthers = (name: string): boolean => ids !== undefined && isOf(name, ids) && !isOf(name, turned)
    const skips = new Set(turned.size > 0 ? names.filter(isOthers) : [])
    const turns = isOne ? Math.max(0, ...counts) * of.size : Math.max(0, ...counts)
    const inTime = isSlow ? 1 : Math.max(2, Math.min(mostTurns, Math.floor(turnsMs / ms)))
    if (inTime < turns) isComplete = false
    let answer: Answer
    for (let turn = 0; turn < Math.min(turns, inTime); turn++) {
      const next = await tryTurn(of, { turn, isOnlyTurn: inTime === 1, isOne, skips, only })
      if (next !== undefined && next !== 'noticed') return next
      answer ??= next
    }
    return answer
  }

  // A product that tells altered tests by anything but their values fails with a comment, too, before the others or after them. Commands that take
  // long run only once for it, and nobody can foresee when.
  const tryComment = async (): Promise<boolean> =>
    (await alter(texts, 'comment', { turn: 0 }))?.red === true &&
    ((await alter(texts, 'comment', { turn: 1 }))?.red === true || !(await usesGit(snapshots, controlled)))
  if ((!isSlow || seed % 2 === 0) && (await tryComment())) return 'unstable'
  let answer = await tryAll(texts)
  const everything = new Map([...(await snapshots.readAll(proof, found.all)), ...texts])
  if (answer === 'noticed' && open.size > 0) {
    const isOpen = ([path, text]: readonly [string, string]): boolean =>
      !texts.has(path) && listTests(path, text).some((name) => [...open].some((id) => isNamed(id, name)))
    answer = (await tryAll(new Map([...everything].filter(isOpen)))) ?? answer
  }
  const tryData = async (of: Texts): Promise<Answer> => {
    const ran = await alter(of, 'data', {})
    return ran && (ran.red ? 'noticed' : 'unnoticed')
  }
  answer ??= await tryData(texts)
  if (answer === 'mixed') return 'mixed'
  if (answer === 'noticed' && open.size === 0) {
    for (const one of await findExpectedData(snapshots, proof, { files, tests, texts }))
      if ((await tryData(new Map([one]))) === 'unnoticed') return 'unnoticed'
    const behind = isNewProof ? [] : await findBehind(snapshots, { known: texts, everything }, controlled)
    for (const { path, text, only } of behind)
      if ((await tryAll(new Map([[path, text]]), only)) === 'unnoticed') return 'unnoticed'
    if ((!isSlow || seed % 2 === 1) && (await tryComment())) return 'unstable'
    return isComplete ? 'noticed' : 'partly'
  }
  if (answer === 'noticed') return 'unnoticed'
  // Perhaps the commands have nothing to do with these tests.
  const failing = await alter(texts, 'failure', {})
  if (failing?.red === false)
    return isNewProof || (await areRun(snapshots, found.failed, controlled)) ? 'disarmed' : 'unnoticed'
  return answer ? 'unnoticed' : failing ? 'untried' : 'impossible'
}

/** Assertions are altered for so long, in so many runs; in one, if the commands are slow. */
const [turnsMs, mostTurns, slowMs] = [40_000, 16, 30_000]

/** So few files are tried one by one where the output names neither files nor tests. */
const maxAlone = 4

type Turn = {
  readonly turn: number
  readonly isOnlyTurn: boolean
  readonly isOne: boolean
  /** Names of tests that stay as they are. */
  readonly skips: ReadonlySet<string>
  readonly only: string | undefined
  /** With fewer tests than before, because some have hidden others. */
  readonly isAgain?: true
}

const isOf = (name: string, among: ReadonlySet<string>): boolean => [...among].some((id) => isNamed(id, name))

const isBroken = /error TS\d+:|\bSyntaxError: |error\[E\d+\]|could not compile|\[build failed\]|: error: /

const noTests = { passed: new Set<string>(), failed: new Set<string>() }

const nameOf: Readonly<Record<Alteration, string>> = {
  values: 'altered-values',
  data: 'altered-data',
  failure: 'must-fail',
  comment: 'commented',
}
