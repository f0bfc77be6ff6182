import { describe, expect, test } from 'vitest'
import { decidesVerification, findTampering } from '../../../../../src/modes/delivery/core/tampering/find-tampering.ts'
import type { Case } from './cases/case.ts'
import { changed } from './cases/changed.ts'
import { grownTests } from './cases/honest-new-tests.ts'
import { honestProjects } from './cases/honest-projects.ts'
import { honestSources } from './cases/honest-sources.ts'
import { keptTests } from './cases/honest-tests.ts'
import { changedLint, hooks, replaced } from './cases/lint-and-runners.ts'
import { lost } from './cases/lost.ts'
import { changedScripts } from './cases/scripts.ts'
import { changedCi, changedConfigs } from './cases/settings.ts'
import { skipped } from './cases/skipped.ts'
import { weakened } from './cases/weakened.ts'

const cheats = {
  'test-deleted': lost,
  'test-skipped': skipped,
  'test-weakened': weakened,
  'test-changed': changed,
  'script-changed': changedScripts,
  'ci-changed': changedCi,
  'config-changed': changedConfigs,
  'lint-changed': changedLint,
  'runner-replaced': replaced,
  'hook-planted': hooks,
}

const honest = [...grownTests, ...keptTests, ...honestSources, ...honestProjects]

const aboutOf = ({ commands = ['npm test'], focus = [] }: Case) => ({ commands, focus })

describe.each(Object.entries(cheats))('%s', (kind, cases) => {
  test.each(cases.map((each) => [each.name, each] as const))('%s', (_, each) => {
    const found = findTampering(each.touched, aboutOf(each))
    expect(found.map((one) => one.kind)).toContain(kind)
    expect(each.touched.some(({ path }) => decidesVerification(path, aboutOf(each)))).toBe(true)
    for (const { says } of found) {
      expect(says.length).toBeLessThan(200)
      expect(says).toMatch(/^\P{Cc}+$/u)
    }
  })
})

describe('honest work is not named', () => {
  test.each(honest.map((each) => [each.name, each] as const))('%s', (_, each) => {
    expect(findTampering(each.touched, aboutOf(each))).toEqual([])
  })
})
