import { findOpeners } from './changed-test.ts'
import type { Touched } from './text/finding.ts'
import { normalizeLines } from './text/normalize-lines.ts'
import { findRole, isTestByName } from './text/roles.ts'

export type Moves = {
  /** All touched files. A moved test file appears once, as modified. */
  readonly files: readonly Touched[]
  /** Tells which lines removed from a test file moved to another together with their test. */
  movedFrom(path: string): (bare: string) => boolean
}

export function findMoves(touched: readonly Touched[]): Moves {
  const tests = touched.filter(({ path }) => isTest(path))
  const gone = tests.filter(({ status, before }) => status === 'deleted' && before !== undefined)
  const came = new Set(tests.filter(({ status, after }) => status === 'added' && after !== undefined))
  const partners = new Map<Touched, Touched>()
  for (const file of gone) {
    const partner = findPartner(file, came)
    if (partner) {
      partners.set(file, partner)
      came.delete(partner)
    }
  }
  const taken = new Set(partners.values())
  const files = touched.flatMap((file): Touched[] => {
    const partner = partners.get(file)
    if (partner) return [{ path: partner.path, status: 'modified', before: file.before, after: partner.after }]
    return taken.has(file) ? [] : [file]
  })
  return { files, movedFrom: indexMovedLines(files) }
}

const isTest = (path: string): boolean => ['test', 'fixture', 'helper'].includes(findRole(path) ?? '')
const readName = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.[cm]?[jt]sx?$/, '')

/** Returns the added file with the same text or name, if a runner finds it there as it did before. */
function findPartner(file: Touched, came: ReadonlySet<Touched>): Touched | undefined {
  const found = [...came].filter(({ path }) => !aside.test(path) && (isTestByName(path) || !isTestByName(file.path)))
  return (
    found.find(({ after }) => after === file.before) ?? found.find(({ path }) => readName(path) === readName(file.path))
  )
}

const aside =
  /(?:^|\/)(?:archived?|old|disabled|backup|bak|deprecated|skipped|attic|unused|tmp|temp|dist|build|vendor|node_modules)\//i

function indexMovedLines(files: readonly Touched[]): Moves['movedFrom'] {
  const places = new Map<string, Touched>()
  for (const file of files) {
    if (findRole(file.path) !== 'test' || file.after === undefined) continue
    const old = new Set(findOpeners(file.path, file.before ?? ''))
    for (const opener of findOpeners(file.path, file.after)) if (!old.has(opener)) places.set(opener, file)
  }
  return (path) => {
    const file = files.find((each) => each.path === path)
    if (places.size === 0 || file?.before === undefined || file.after === undefined) return () => false
    const now = new Set(findOpeners(path, file.after))
    const hosts = new Set(
      findOpeners(path, file.before).flatMap((opener) => (now.has(opener) ? [] : (places.get(opener) ?? []))),
    )
    const lines = new Set([...hosts].flatMap((host) => (host.path === path ? [] : normalizeLines(host.after!).bare)))
    return (bare) => lines.has(bare)
  }
}
