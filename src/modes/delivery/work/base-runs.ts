import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import { alterTests, emptyTest, listTests } from '../core/evidence/alter-tests.ts'
import { isNamed } from '../core/evidence/compare-ids.ts'
import { mustFail } from '../core/evidence/languages.ts'
import { findRole, hasAssertions, type Texts } from '../core/evidence/roles.ts'
import { findTests } from './find-tests.ts'
import type { Controlled } from './weighing.ts'

// Runs on the tree from before the story: nothing in it is the agent's.

/**
 * Finds tests that failed before the story behind others: some commands and runners stop at the first failure. Without the tests that failed
 * first, the next ones show themselves.
 */
export async function findBehind(
  snapshots: Snapshots,
  { known, everything }: { readonly known: Texts; readonly everything: Texts },
  controlled: Controlled,
): Promise<readonly Behind[]> {
  const { base, before, said, tests, run, note } = controlled
  const ids = [...(before.ids?.passed ?? []), ...(before.ids?.failed ?? [])]
  const isReached = (path: string, text: string): boolean =>
    said.includes(path) || listTests(path, text).some((name) => ids.some((id) => isNamed(id, name)))
  const isOpen = ([path, text]: readonly [string, string]): boolean =>
    !known.has(path) && hasAssertions(text) && !isReached(path, text)
  const open = new Map([...everything].filter(isOpen))
  const first = [...known.keys()].filter((path) => findRole(path, tests) === 'test')
  const behind = new Map<string, Behind>()
  while (first.length > 0 && behind.size < open.size) {
    const gone = new Map([...everything].filter(([path]) => first.includes(path) || behind.has(path)))
    const ran = await note('without-failed', run('without-failed', await emptyTests(snapshots, base, gone), {}))
    const { failed, isNamed } = await findTests(snapshots, base, { ...controlled, said: ran.said ?? '' })
    const found = [...everything].filter(([path]) => failed.includes(path) && !known.has(path) && !behind.has(path))
    if (!ran.red || !isNamed || found.length === 0) break
    for (const [path, text] of found) behind.set(path, { path, text, only: ran.failed })
  }
  return [...behind.values()]
}

/** The tests that pass before the story if those that failed are not there. */
export async function listPassing(
  snapshots: Snapshots,
  failed: Texts,
  { base, tests, run, note }: Controlled,
): Promise<ReadonlySet<string>> {
  const gone = new Map([...failed].filter(([path]) => findRole(path, tests) === 'test'))
  if (gone.size === 0) return new Set()
  const { ids } = await note('without-failed', run('without-failed', await emptyTests(snapshots, base, gone), {}))
  return ids?.passed ?? new Set()
}

async function emptyTests(snapshots: Snapshots, tree: Tree, gone: Texts): Promise<Tree> {
  const there = new Set(await snapshots.list(tree))
  const none = [...gone].flatMap(([path, text]) => (there.has(path) ? [[path, emptyTest(path, text)] as const] : []))
  return snapshots.combine(tree, tree, [], Object.fromEntries(none))
}

type Behind = { readonly path: string; readonly text: string; readonly only: string | undefined }

/** Whether the repository asked git for something before the story. Then it may do so now. */
export async function usesGit(snapshots: Snapshots, { base, commands }: Controlled): Promise<boolean> {
  const files = (await snapshots.list(base)).slice(0, maxFiles)
  return [...commands, ...(await snapshots.readAll(base, files)).values()].some((text) => /\bgit\b/.test(text))
}
const maxFiles = 2000

/**
 * Whether the commands run these tests: before the story, the output names them, or shows a failure that is added to them, or the commands end
 * in another way without them.
 */
export async function areRun(
  snapshots: Snapshots,
  paths: readonly string[],
  { base, said: output, tests, run, note }: Controlled,
): Promise<boolean> {
  if (paths.some((path) => output.includes(path))) return true
  const { texts: failing } = alterTests(await snapshots.readAll(base, paths), 'failure', { seed: 0, tests })
  const ran = run('must-fail-before', await snapshots.combine(base, base, [], failing), {})
  const { said = '', code } = await ran
  await note('must-fail-before', ran)
  if (said.includes(mustFail)) return true
  const none = Object.fromEntries(paths.map((path) => [path, '']))
  const without = run('without-tests', await snapshots.combine(base, base, [], none), {})
  const { red } = await note('without-tests', without)
  return !red || (await without).code !== code
}
