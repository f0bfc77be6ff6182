import { type Tampering, tamperings } from '../../contract/result.ts'
import { changedTest, newTest } from './changed-test.ts'
import { inlineTests } from './inline.ts'
import { changedManifest } from './manifest.ts'
import { moves } from './moves.ts'
import { changedHook, changedRunner } from './runners.ts'
import { changedBuild, changedScript, changedSections, changedTargets } from './scripts.ts'
import { changedCi, changedConfig, changedHelper, changedLint, changedSetup } from './settings.ts'
import { canSuppress, newSuppressions } from './suppressions.ts'
import { isNamedScript, type Reach, reachOf } from './text/commands.ts'
import type { About, Finding, Touched } from './text/finding.ts'
import { type Role, roleOf } from './text/roles.ts'
import { changedTsconfig } from './tsconfig.ts'

export type { About, Touched } from './text/finding.ts'

/** `expected`: the story names that very file. What takes tests away is never expected. */
export type Found = Omit<Tampering, 'attempt'> & { readonly expected: boolean }

/** What an attempt did to the things that decide its verification, the most serious first. */
export function findTampering(touched: readonly Touched[], about: About): readonly Found[] {
  const reach = reachOf(about)
  const { files, movedFrom } = moves(touched)
  const focus = new Set(about.focus.map((path) => path.replace(/^\.\//, '')))
  const found = files.flatMap((file) => {
    const findings = [...judge(file), ...(reach.lints ? newSuppressions(file) : [])]
    return findings.map(({ kind, says }) => ({
      kind,
      path: file.path,
      says: says.length > mostSaid ? `${says.slice(0, mostSaid - 1)}…` : says,
      expected: focus.has(file.path) && !never.has(kind),
    }))
  })
  return found.sort((a, b) => weight(a) - weight(b)).slice(0, most)

  function judge(file: Touched): readonly Finding[] {
    const role = roleOf(file.path)
    if (role === 'test' || role === 'fixture') return judgeTest(file, movedFrom(file.path))
    if (role === undefined && isNamedScript(file.path, reach)) return changedScript(file)
    if (role === undefined) return inlineTests(file)
    return judges[role](file, about, reach)
  }
}

/** Whether a path would be looked at at all. */
export const decides = (path: string, about: About): boolean => {
  const reach = known.get(about) ?? reachOf(about)
  known.set(about, reach)
  return (
    roleOf(path) !== undefined ||
    path.endsWith('.rs') ||
    (reach.lints && canSuppress(path)) ||
    isNamedScript(path, reach)
  )
}

const known = new WeakMap<About, Reach>()

const most = 50
const mostSaid = 199
const never: ReadonlySet<string> = new Set(['test-deleted', 'test-skipped', 'test-weakened'])
const weight = ({ kind, expected }: Found): number => tamperings.indexOf(kind) + (expected ? tamperings.length : 0)

function judgeTest(file: Touched, moved: (bare: string) => boolean): readonly Finding[] {
  const { path, status, before, after } = file
  if (status === 'added') return after === undefined ? [] : newTest(path, after)
  if (status === 'deleted') return [{ kind: 'test-deleted', says: 'a file of tests was deleted' }]
  if (before === undefined || after === undefined)
    return [{ kind: 'test-changed', says: 'it was changed, and is binary or too large to compare' }]
  return changedTest(path, before, after, moved)
}

type Judge = (file: Touched, about: About, reach: Reach) => readonly Finding[]
const judges: Readonly<Record<Exclude<Role, 'test' | 'fixture'>, Judge>> = {
  helper: changedHelper,
  setup: changedSetup,
  hook: changedHook,
  ci: changedCi,
  manifest: changedManifest,
  targets: (file, { commands }) => changedTargets(file, commands),
  sections: changedSections,
  build: changedBuild,
  tsconfig: changedTsconfig,
  config: changedConfig,
  lint: (file, _, reach) => changedLint(file, reach),
  runner: changedRunner,
}
