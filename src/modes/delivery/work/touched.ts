import type { ChangedFile } from '../../../ports/repository.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import type { Verification } from '../contract/input.ts'
import { areTestsTouched, findExamples, hasInlineTests, isManifest, mergeParts } from '../core/evidence/parts.ts'
import {
  findRole,
  hasAssertions,
  isCalledForTests,
  isNamedCheck,
  isTestData,
  isUsed,
  loadsAssertions,
  type Role,
  usesTestFramework,
} from '../core/evidence/roles.ts'
import { pickScripts } from '../core/evidence/scripts.ts'
import { isShadow } from '../core/evidence/shadows.ts'

/** A file that a story touched and that decides verification. */
export type TouchedCheck = Pick<ChangedFile, 'path' | 'status'> & {
  readonly role: Role
  /** Only a part of the file decides it, such as the scripts of a manifest. */
  readonly isPart?: true
  /** It may be a part of the product: there are no runs without it, and no proof. */
  readonly isUnsure?: true
  /** Undefined if the file is missing, binary or too large. */
  readonly before: string | undefined
  readonly after: string | undefined
}

type Trees = {
  readonly base: Tree
  readonly tree: Tree
  readonly commands: readonly string[]
  readonly tests: readonly string[]
}

const maxTouched = 5000

export type FindTouched = (trees: Omit<Trees, 'tests'>) => Promise<readonly TouchedCheck[]>

type Around = Pick<Verification, 'tests' | 'setup' | 'prepare' | 'reset' | 'format'>

/** Remembers the last answers: an attempt is looked at several times. */
export function createTouchedFinder(snapshots: Reading, around: Around): FindTouched {
  const known = new Map<string, Promise<readonly TouchedCheck[]>>()
  const { tests = [], setup = [], prepare = [], reset = [], format = [] } = around
  return ({ base, tree, commands: own }) => {
    const key = JSON.stringify([base, tree, own])
    const commands = [...own, ...setup, ...prepare, ...reset, ...format]
    const found = known.get(key) ?? findTouchedChecks(snapshots, { base, tree, commands, tests })
    if (known.size >= maxKnown) known.clear()
    known.set(key, found)
    return found
  }
}
const maxKnown = 8

type Reading = Pick<Snapshots, 'difference' | 'readAll' | 'list'>

/**
 * Finds what a story changed of the files that decide verification. A role follows from the path, or from what the file was before the story; what an
 * agent writes into it plays no part.
 */
async function findTouchedChecks(
  snapshots: Reading,
  { base, tree, commands, tests }: Trees,
): Promise<readonly TouchedCheck[]> {
  if (base === tree) return []
  const { files: all } = await snapshots.difference(base, tree)
  // Many new files must not keep the others from being read.
  const files = all.toSorted((one, other) => Number(one.status === 'added') - Number(other.status === 'added'))
  const paths = files.slice(0, maxTouched).map(({ path }) => path)
  const [was, is] = [await snapshots.readAll(base, paths), await snapshots.readAll(tree, paths)]
  const texts = (path: string) => ({ before: was.get(path), after: is.get(path) })
  const found: TouchedCheck[] = []
  const open: (ChangedFile & { readonly role?: Role })[] = []
  for (const file of files) {
    const { path, status } = file
    const { before, after } = texts(path)
    // A submodule has no text, and its path is that of a folder.
    const role =
      findRole(path, tests) ?? (before === undefined && after === undefined ? findRole(`${path}/`, tests) : undefined)
    if (role && isPlain(path, role, before)) open.push({ ...file, role })
    else if (role) found.push({ path, status, role, before, after })
    else if (isPartTouched(path, before, after)) {
      const part = areTestsTouched(path, before, after) ? 'test' : 'settings'
      found.push({ path, status, role: part, isPart: true, before, after })
    } else open.push(file)
  }
  if (open.length === 0) return found
  const hasData = open.some(({ path, role }) => role !== undefined || !isCode.test(path))
  const known = await readStart(snapshots, base, { commands, tests, hasData })
  for (const { path, status, role } of open) {
    const { before, after } = texts(path)
    const content = { status, before, after, known }
    // A script that tests ask for is what they test. Settings that the product uses, and what only the product uses, belong to it.
    const isUsedHere = isUsed(path, role === 'script' ? known.tests : known.product)
    const isProduct = isUsedHere && role !== 'script' && (role === 'settings' || !isUsed(path, known.tests))
    const isUnsure = isUsedHere && { isUnsure: true as const }
    const decided = isProduct ? undefined : role ? { role, ...isUnsure } : findByContent(path, content)
    if (decided) found.push({ path, status, before, after, ...decided })
  }
  return found
}

/** Files that play a part by their folder or ending alone. The product may use them. */
const isPlain = (path: string, role: Role, before: string | undefined): boolean =>
  before !== undefined &&
  !usesTestFramework(before) &&
  ((role === 'test' && !hasAssertions(before)) || role === 'script' || /\.config\.[\w.]+$/.test(path))

function isPartTouched(path: string, before: string | undefined, after: string | undefined): boolean {
  const merged = mergeParts(path, after, before)
  return merged !== undefined && merged !== (mergeParts(path, after, after) ?? after)
}

const isCode = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|swift|c|cc|cpp|h|hpp|sh)$/

type Start = {
  readonly files: readonly string[]
  readonly commands: readonly string[]
  readonly tests: ReadonlyMap<string, string>
  readonly product: ReadonlyMap<string, string>
  /** The text of manifests. */
  readonly declared: string
  /** Sessions of Python in documents and comments are tests. */
  readonly hasSessions: boolean
}

type Wanted = { readonly commands: readonly string[]; readonly tests: readonly string[]; readonly hasData: boolean }

/** Reads the tests from before the story, and the product if data is in question. */
async function readStart(
  snapshots: Pick<Snapshots, 'readAll' | 'list'>,
  base: Tree,
  { commands, tests, hasData }: Wanted,
): Promise<Start> {
  const files = await snapshots.list(base)
  const isTest = (path: string): boolean => findRole(path, tests) === 'test'
  const scripts = files.filter((path) => findRole(path) === 'script')
  const packages = files.filter((path) => /(?:^|\/)package\.json$/.test(path))
  const code = hasData ? files.filter((path) => isCode.test(path) && findRole(path) === undefined) : []
  const settings = files.filter((path) => /^(?:pyproject\.toml|(?:pytest|tox)\.ini|setup\.cfg)$/.test(path))
  const manifests = files.filter((path) => (path.endsWith('.py') ? path === 'setup.py' : isManifest(path)))
  const texts = await snapshots.readAll(base, [
    ...files.filter(isTest),
    ...scripts,
    ...packages,
    ...code,
    ...settings,
    ...manifests,
  ])
  const pick = (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (texts.has(path) ? [[path, texts.get(path)!]] : [])))
  const asked = [...commands, ...pick(scripts).values()]
  const called = [...asked, ...pickScripts([...pick(packages).values()], asked)]
  return {
    files,
    commands: called,
    tests: pick(files.filter(isTest)),
    product: pick(code),
    declared: [...pick([...settings, ...manifests]).values()].join('\n'),
    hasSessions: [...called, ...pick(settings).values()].some((text) => text.includes('doctest')),
  }
}

type Content = Pick<TouchedCheck, 'status' | 'before' | 'after'> & { readonly known: Start }
type Decided = Pick<TouchedCheck, 'role' | 'isUnsure'>

function findByContent(path: string, { status, before, after, known }: Content): Decided | undefined {
  if (before !== undefined && usesTestFramework(before) && !hasInlineTests(path, before)) return { role: 'test' }
  if (status === 'added') {
    if (isShadow(path, known.tests, known.files, known.declared)) return { role: 'runner' }
    // A module in a folder takes its tests out of those of the module above.
    return path.endsWith('/go.mod') ? { role: 'settings', isUnsure: true } : undefined
  }
  if (isNamedCheck(path, known.commands)) return { role: 'script' }
  if (isTestData(path, known.tests, known.product)) return { role: 'test', isUnsure: true }
  const list = (text = ''): readonly string[] =>
    path.endsWith('.rs') || known.hasSessions ? findExamples(path, text) : []
  const examples = new Set(list(after))
  const isAsked =
    (before !== undefined && loadsAssertions(before)) ||
    (before !== undefined && isCalledForTests(path, before, after ?? '', known.commands))
  const isUnsure = isAsked || list(before).some((one) => !examples.has(one))
  return isUnsure ? { role: 'test', isUnsure } : undefined
}
