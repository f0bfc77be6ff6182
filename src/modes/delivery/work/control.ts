import type { ChangedFile } from '../../../ports/repository.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import { type Alteration, type AlterOptions, alterTest, listAltered } from '../core/evidence/alter-tests.ts'
import { findTurned, findUnnoticed, isNamed } from '../core/evidence/compare-ids.ts'
import { mustFail } from '../core/evidence/languages.ts'
import { findRole } from '../core/evidence/roles.ts'
import type { Control, Ran } from '../core/evidence/weigh.ts'
import { findExpectedData, findTests, isInline, type Texts } from './find-tests.ts'
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
  readonly commands: readonly string[]
  /** How long the commands took. If that is little, they can run more often. */
  readonly ms: number
  /** `limited`: no longer than a few times the last run. */
  readonly run: (
    name: string,
    on: Tree,
    options?: { readonly limited: boolean; readonly withoutHistory?: boolean },
  ) => Promise<Ran & { readonly said?: string; readonly code?: number | null }>
}

type Controlled = Weighing & {
  /** The tree whose commands are green, to be tried with altered tests. */
  readonly proof: Tree
  /** What the story changed. */
  readonly files: readonly ChangedFile[]
  /** Remembers how a run ended. */
  readonly note: <Kind extends Ran>(name: string, running: Promise<Kind>) => Promise<Kind>
}

/** Tries whether the tests can fail: each one that the story has turned green, as far as the output names them. */
export async function controlTests(snapshots: Snapshots, controlled: Controlled): Promise<Control> {
  const { proof, files, note, before, now, touched, named, tests, run, ms, said } = controlled
  const own = touched.filter(({ role, status }) => role === 'test' && status !== 'deleted')
  const isNewProof = !before.red || (named && own.length > 0)
  const found = isNewProof
    ? { failed: own.map(({ path }) => path), all: [], isNamed: false }
    : await findTests(snapshots, proof, controlled)
  const texts = await snapshots.readAll(proof, found.failed)
  const names = new Set((await snapshots.list(proof)).flatMap((path) => [path, path.slice(path.lastIndexOf('/') + 1)]))
  const turned = findTurned(before.ids, now.ids)
  const seed = Math.floor(Math.random() * 2 ** 31)
  const options = { seed, namesFile: (text: string) => names.has(text), tests }

  /** `open`: the tests that have not failed. Undefined: there is nothing to alter. */
  async function alter(how: Alteration, { of = texts, turn = 0, isOne = false } = {}): Promise<Altered | undefined> {
    const all = alterAll(of, how, { ...options, turn, isOne })
    const paths = Object.keys(all)
    const one = paths[(seed + turn) % paths.length]
    if (one === undefined) return undefined
    const changed = isOne ? { [one]: all[one]! } : all
    const withoutHistory = how === 'comment' && turn === 0
    const on = await snapshots.combine(proof, proof, [], changed)
    const ran = await note(nameOf[how], run(nameOf[how], on, { limited: true, withoutHistory }))
    // A failed compilation says nothing about the product.
    if (ran.red && how !== 'failure' && isBroken.test(ran.said ?? '') && !isBroken.test(said)) return undefined
    if (!ran.red || !ran.ids) return { isRed: ran.red, open: turned }
    const { ids } = ran
    const open = findUnnoticed(turned, ids, now.ids ?? noTests)
    const named = new Map(
      how === 'values' ? paths.map((path) => [path, listAltered(path, of.get(path)!, all[path]!)]) : [],
    )
    const isOf = (name: string, among: ReadonlySet<string>): boolean => [...among].some((id) => isNamed(id, name))
    // A test was altered, and passed all the same.
    const altered = [...named.values()].flat()
    if (altered.some((name) => isOf(name, open.intersection(ids.passed)) && !isOf(name, ids.failed)))
      return { isRed: false, open }
    // Some runners stop at the first file that fails.
    const rest = [...named].flatMap(([path, tests]) => (tests.some((name) => isOf(name, ids.failed)) ? [] : [path]))
    if (open.size === 0 || rest.length === 0 || rest.length === paths.length) return { isRed: true, open }
    const others = await alter(how, { of: new Map([...of].filter(([path]) => rest.includes(path))), turn, isOne })
    return others ? { isRed: others.isRed, open: open.intersection(others.open) } : { isRed: true, open }
  }

  // Without names of single tests, each run alters one assertion: another one must not answer for it.
  const isOne = turned.size === 0 && found.isNamed
  const turns = ms > 30_000 ? 1 : isOne ? (ms > 3000 ? 3 : 6) : 2
  let first: Altered | undefined
  let open = turned
  for (let turn = 0; turn < turns; turn++) {
    const answer = await alter('values', { turn, isOne })
    if (answer === undefined) break
    first = answer
    if (!answer.isRed) break
    // A test without values that can be altered stays open each time.
    open = turn === 0 ? answer.open : open.union(answer.open)
  }
  const everything = new Map([...(await snapshots.readAll(proof, found.all)), ...texts])
  const second =
    first === undefined || (first.isRed && open.size > 0) ? await alter('expected', { of: everything }) : undefined
  const third = (first ?? second) ? undefined : await alter('data')
  const last = second ?? first ?? third
  const isNoticed = first?.isRed !== false && last?.isRed === true
  if (isNoticed && (second ? open.intersection(second.open) : open).size === 0) {
    const data = await findExpectedData(snapshots, proof, { files, tests, texts })
    if ((await alter('data', { of: data }))?.isRed === false) return 'unnoticed'
    // A product that tells altered tests by anything but their values fails here too.
    if (!(await alter('comment'))?.isRed) return 'noticed'
    const isUnstable = (await alter('comment', { turn: 1 }))?.isRed
    return isUnstable || !(await usesGit(snapshots, controlled)) ? 'unstable' : 'noticed'
  }
  if (isNoticed) return 'unnoticed'
  // Perhaps the commands have nothing to do with these tests.
  const failing = await alter('failure')
  if (failing?.isRed === false)
    return isNewProof || (await areRun(snapshots, found.failed, controlled)) ? 'disarmed' : 'impossible'
  return last ? 'unnoticed' : failing ? 'untried' : 'impossible'
}

/** Whether the repository asked git for something before the story. Then it may do so now. */
async function usesGit(snapshots: Snapshots, { base, commands }: Controlled): Promise<boolean> {
  const files = (await snapshots.list(base)).slice(0, maxFiles)
  return [...commands, ...(await snapshots.readAll(base, files)).values()].some((text) => /\bgit\b/.test(text))
}
const maxFiles = 2000

/**
 * Whether the commands run these tests: before the story, the output names them, or shows a failure that is added to them, or the commands end
 * in another way without them.
 */
async function areRun(
  snapshots: Snapshots,
  paths: readonly string[],
  { base, said: output, tests, run, note }: Controlled,
): Promise<boolean> {
  if (paths.some((path) => output.includes(path))) return true
  const failing = alterAll(await snapshots.readAll(base, paths), 'failure', { seed: 0, tests })
  const ran = run('must-fail-before', await snapshots.combine(base, base, [], failing), { limited: true })
  const { said = '', code } = await ran
  await note('must-fail-before', ran)
  if (said.includes(mustFail)) return true
  const none = Object.fromEntries(paths.map((path) => [path, '']))
  const without = run('without-tests', await snapshots.combine(base, base, [], none), { limited: true })
  const { red } = await note('without-tests', without)
  return !red || (await without).code !== code
}

const isBroken = /error TS\d+:|\bSyntaxError\b|error\[E\d+\]|could not compile|\[build failed\]|: error: /

const noTests = { passed: new Set<string>(), failed: new Set<string>() }

type Altered = { readonly isRed: boolean; readonly open: ReadonlySet<string> }

const nameOf: Readonly<Record<Alteration, string>> = {
  values: 'altered-values',
  expected: 'altered-expected',
  data: 'altered-data',
  failure: 'must-fail',
  comment: 'commented',
}

type AlterAll = Omit<AlterOptions, 'isTest'> & Pick<Weighing, 'tests'>

function alterAll(texts: Texts, how: Alteration, { tests, ...options }: AlterAll): Record<string, string> {
  const altered = [...texts].flatMap(([path, text]) => {
    const isTest = !isInline.test(path) || findRole(path, tests) === 'test'
    const other = alterTest(path, text, how, { ...options, isTest })
    return other === undefined ? [] : [[path, other] as const]
  })
  return Object.fromEntries(altered)
}
