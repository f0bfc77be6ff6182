import type { ChangedFile } from '../../../ports/repository.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import { isInline } from '../core/evidence/alter-tests.ts'
import { hasInlineTests } from '../core/evidence/parts.ts'
import { findRole, hasAssertions, isCalled, type Texts } from '../core/evidence/roles.ts'
import { isAskedFor, pickScripts } from '../core/evidence/scripts.ts'

const maxTests = 500

type Changes = {
  /** Globs of test files that a person gave. */
  readonly tests: readonly string[]
  /** What the story changed. */
  readonly files: readonly ChangedFile[]
}

type Finding = Changes & {
  readonly said: string
  readonly commands: readonly string[]
  /** The command that failed before the story. */
  readonly only: string | undefined
}

/**
 * Finds all tests, and those that failed before the story: what its output names, or else what the commands name, or all. Nothing of the agent's ran then. A file that
 * is no test by its path may be one by what it does, if the story left it alone.
 */
export async function findTests(
  snapshots: Snapshots,
  tree: Tree,
  { said, tests, files, commands, only }: Finding,
): Promise<{ readonly failed: readonly string[]; readonly all: readonly string[]; readonly isNamed: boolean }> {
  const isNamed = (path: string): boolean => said.includes(path) || said.includes(path.slice(path.lastIndexOf('/') + 1))
  const paths = await snapshots.list(tree)
  const known = paths.filter((path) => findRole(path, tests) === 'test' || isInline.test(path))
  const all = known.filter((path) => !isInline.test(path)).slice(0, maxTests)
  const named = known.filter(isNamed).slice(0, maxTests)
  if (named.length > 0) return { failed: named, all, isNamed: true }
  const changed = new Set(files.map(({ path }) => path))
  const manifests = paths.filter((path) => /(?:^|\/)package\.json$/.test(path))
  const texts = [...(await snapshots.readAll(tree, manifests)).values()]
  const called = [...commands, ...pickScripts(texts, commands)]
  const others = paths.filter((path) => isNamed(path) || isCalled(path, called)).slice(0, maxTests)
  const asserting = [...(await snapshots.readAll(tree, others))].filter(
    ([path, text]) => hasInlineTests(path, text) || (!changed.has(path) && hasAssertions(text)),
  )
  if (asserting.length > 0) return { failed: asserting.map(([path]) => path), all, isNamed: true }
  const asking = only === undefined ? commands : [only]
  const scripts = pickScripts(texts, asking)
  const asked = all.filter((path) => isAskedFor(path, asking, scripts))
  return { failed: asked.length > 0 ? asked : all, all, isNamed: false }
}

/** Finds files of expected output: those that tests name, and those that a changed product names. It could print what it finds there. */
export async function findExpectedData(
  snapshots: Snapshots,
  tree: Tree,
  { files, tests, texts }: Changes & { readonly texts: Texts },
): Promise<Texts> {
  const isTest = (path: string): boolean => findRole(path, tests) === 'test'
  const isProduct = ({ path, status }: ChangedFile): boolean =>
    status !== 'deleted' && findRole(path, tests) === undefined && !/\.(?:md|txt|rst|adoc)$/.test(path)
  const product = await snapshots.readAll(
    tree,
    files.filter(isProduct).map(({ path }) => path),
  )
  const [own, asked] = [product, texts].map((one) => [...one.values()].join('\n')) as [string, string]
  const isFound = (path: string): boolean => {
    const [folder = '', name = path] = path.split('/').slice(-2)
    const isExpected = /^(?:goldens?|expected|baselines)$/.test(folder) || /\.(?:golden|expected|approved)\b/.test(name)
    const isNamed = (text: string): boolean => text.includes(name) || (isData.test(folder) && text.includes(folder))
    const isSnapshot =
      folder === '__snapshots__' && [...texts.keys()].some((test) => test.endsWith(`/${name.replace(/\.snap$/, '')}`))
    return isSnapshot || isNamed(own) || (isExpected && isNamed(asked))
  }
  const named = (await snapshots.list(tree)).filter((path) => isTest(path) && isFound(path))
  return snapshots.readAll(tree, named.slice(0, maxTests))
}

const isData = /^(?:testdata|fixtures?|goldens?|expected|baselines)$/
