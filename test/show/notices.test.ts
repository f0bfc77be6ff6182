import { describe, expect, test } from 'vitest'
import type { Changes } from '../../src/contract/changes.ts'
import { chooseNotices, classifyPath, type Noticed, workNotices } from '../../src/show/notices.ts'

describe('what to look at first', () => {
  const totals = {
    started: 4,
    attempts: 4,
    looked: 4,
    unchanged: 0,
    denials: 0,
    deniedAttempts: 0,
    denied: [],
    calls: 4,
    unpriced: 0,
    head: null,
  }
  const changes = { ...({} as Changes), history: 'continued', files: [], uncommitted: 0 } as unknown as Changes
  const calm: Noticed = {
    failure: null,
    changes,
    totals,
    priced: false,
    over: true,
    activeMs: 1000,
    waitMs: 0,
  }
  const files = (...paths: string[]): Changes => ({
    ...changes,
    files: paths.map((text) => {
      const [letter, path] = text.split(' ') as [string, string]
      const status = letter === 'A' ? 'added' : letter === 'D' ? 'deleted' : 'modified'
      return { path, status, added: 1, deleted: 0 }
    }),
  })
  const says = (noticed: Partial<Noticed>): string[] =>
    chooseNotices(workNotices({ ...calm, ...noticed })).map((notice) => notice.says)

  test('is nothing when nothing stands out', () => {
    expect(says({})).toEqual([])
    expect(says({ changes: null })).toEqual([])
    expect(says({ changes: files('A test/new.test.ts', 'M src/a.ts') })).toEqual([])
  })

  test.each<[string, Partial<Noticed>]>([
    ['commits made before the run were rewritten', { changes: { ...changes, history: 'rewritten' } }],
    ['the commit that the run started from no longer exists', { changes: { ...changes, history: 'lost' } }],
    ['1 test file changed: test/a.ts', { changes: files('M test/a.ts') }],
    ['1 test file deleted: a_test.go', { changes: files('D a_test.go') }],
    [
      '2 test files changed, 1 deleted, 1 CI or check file changed: test/a, test/b, test/c and 1 more',
      { changes: files('M test/a', 'M test/b', 'D test/c', 'A .github/workflows/x.yml') },
    ],
    ['the agent was denied permission once, in 1 attempt', { totals: { ...totals, denials: 1, deniedAttempts: 1 } }],
    ['3 of 4 attempts changed no files', { totals: { ...totals, unchanged: 3 } }],
    ['1 file is not committed', { changes: { ...changes, uncommitted: 1 } }],
    ['the run spent most of its time waiting: 90 minutes', { waitMs: 90 * 60_000 }],
    ['the cost of 2 of 4 calls is unknown', { totals: { ...totals, unpriced: 2 } }],
    [
      'the cost of 2 of 4 calls is unknown: the limit counts only the others',
      { totals: { ...totals, unpriced: 2 }, priced: true },
    ],
  ])('%s', (text, noticed) => {
    expect(says(noticed)).toEqual([text])
  })

  test('is at most three things, the weightiest first', () => {
    const all: Noticed = {
      failure: {
        by: 'gate',
        gate: 1,
        task: 'iteration-3',
        attempt: 1,
        detail: '',
        log: 'x',
        command: 'npm test',
        lines: [],
      },
      changes: { ...files('M test/a'), uncommitted: 7 },
      totals: { ...totals, unchanged: 1, denials: 1, unpriced: 1 },
      priced: true,
      over: true,
      activeMs: 0,
      waitMs: 1e9,
    }
    expect(chooseNotices(workNotices(all)).map(({ about }) => about)).toEqual([
      'gate-failed',
      'bound-not-held',
      'judge-changed',
    ])
  })

  test('work in progress is not called uncommitted while the run is going on', () => {
    expect(says({ changes: { ...changes, uncommitted: 1 }, over: false })).toEqual([])
  })
})

test('tests and what checks the work are known by their names', () => {
  const expected = {
    test: 'test/a.ts src/__tests__/a.js a.test.ts b_test.go test_c.py pkg/spec/d.rb e.spec.tsx FooTest.java conftest.py',
    check:
      '.github/workflows/ci.yml .gitlab-ci.yml Makefile package.json a/tsconfig.build.json .pawl/config.yml .eslintrc.json vitest.config.ts pyproject.toml',
    other:
      'src/a.ts specs/001.md contest.py latest.ts attestation/x.ts docs/testing.md src/package.json.ts makefile.txt protest.py',
  }
  for (const [kind, paths] of Object.entries(expected)) {
    expect(paths.split(' ').map((path) => [path, classifyPath(path)])).toEqual(
      paths.split(' ').map((path) => [path, kind]),
    )
  }
})
