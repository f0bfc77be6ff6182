import type { ChangedFile } from '../../../ports/repository.ts'
import type { Snapshots, Tree } from '../../../ports/snapshots.ts'
import { mergeParts } from '../core/evidence/parts.ts'
import { findRole, isNamedCheck, isShadow, isTestData, type Role, usesTestFramework } from '../core/evidence/roles.ts'

/** A file that a story touched and that decides verification. */
export type TouchedCheck = Pick<ChangedFile, 'path' | 'status'> & {
  readonly role: Role
  /** Only a part of the file decides it, such as the scripts of a manifest. */
  readonly isPart?: true
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

/** Remembers the last answers: an attempt is looked at several times. `tests`: globs that a person gave. */
export function createTouchedFinder(snapshots: Reading, tests: readonly string[]): FindTouched {
  const known = new Map<string, Promise<readonly TouchedCheck[]>>()
  return (trees) => {
    const key = JSON.stringify(trees)
    const found = known.get(key) ?? findTouchedChecks(snapshots, { ...trees, tests })
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
  const { files } = await snapshots.difference(base, tree)
  const paths = files.slice(0, maxTouched).map(({ path }) => path)
  const [was, is] = [await snapshots.readAll(base, paths), await snapshots.readAll(tree, paths)]
  const texts = (path: string) => ({ before: was.get(path), after: is.get(path) })
  const found: TouchedCheck[] = []
  const open: ChangedFile[] = []
  for (const file of files) {
    const { path, status } = file
    const { before, after } = texts(path)
    // A submodule has no text, and its path is that of a folder.
    const role =
      findRole(path, tests) ?? (before === undefined && after === undefined ? findRole(`${path}/`, tests) : undefined)
    if (role) found.push({ path, status, role, before, after })
    else if (isPartTouched(path, before, after)) {
      found.push({
        path,
        status,
        role: /\.(?:rs|[cm]?[jt]sx?)$/.test(path) ? 'test' : 'settings',
        isPart: true,
        before,
        after,
      })
    } else open.push(file)
  }
  if (open.length === 0) return found
  const known = await readStart(snapshots, base, {
    commands,
    tests,
    hasData: open.some(({ path }) => !isCode.test(path)),
  })
  for (const { path, status } of open) {
    const { before, after } = texts(path)
    const role = findByContent(path, { status, before, known })
    if (role) found.push({ path, status, role, before, after })
  }
  return found
}

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
  const scripts = files.filter((path) => /(?:^|\/)package\.json$/.test(path) || findRole(path) === 'script')
  const code = hasData ? files.filter((path) => isCode.test(path) && findRole(path) === undefined) : []
  const texts = await snapshots.readAll(base, [...files.filter(isTest), ...scripts, ...code])
  const pick = (paths: readonly string[]) =>
    new Map(paths.flatMap((path) => (texts.has(path) ? [[path, texts.get(path)!]] : [])))
  return {
    files,
    commands: [
      ...commands,
      ...[...pick(scripts)].map(([path, text]) => (path.endsWith('.json') ? pickScripts(text) : text)),
    ],
    tests: pick(files.filter(isTest)),
    product: pick(code),
  }
}

/** The text of the scripts in a package.json. */
const pickScripts = (text: string): string => /"scripts"\s*:\s*\{[^}]*\}/.exec(text)?.[0] ?? ''

type Content = Pick<TouchedCheck, 'status' | 'before'> & { readonly known: Start }

function findByContent(path: string, { status, before, known }: Content): Role | undefined {
  if (before !== undefined && usesTestFramework(before)) return 'test'
  if (status === 'added') return isShadow(path, known.tests, known.files) ? 'runner' : undefined
  if (isNamedCheck(path, known.commands)) return 'script'
  return isTestData(path, known.tests, known.product) ? 'test' : undefined
}
