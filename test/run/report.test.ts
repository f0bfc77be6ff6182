import { describe, expect, test } from 'vitest'
import type { Json } from '../../src/contract/values.ts'
import { emptyState, type LoopState, reduce } from '../../src/kernel/state.ts'
import type { Changes } from '../../src/ports/repository.ts'
import { createCollector, type Gathered, type Report } from '../../src/run/report.ts'
import { kindOf } from '../../src/show/report/kinds-of-files.ts'
import { chooseNotices, type Noticed } from '../../src/show/report/look-first.ts'
import { createUnderWay, type UnderWay } from '../../src/show/under-way.ts'
import { agentFailed, ended, eventsOf, gateFailed, iteration, passed, type Written } from '../cli/written-run.ts'

const run = {
  id: '20260214-220000-0a1b2c',
  dir: '/run',
  name: 'build',
  workspace: '/repo',
  created: '2026-02-14T22:00:00.000Z',
}
const started = { type: 'run-started', journal: 1, policy: 'procedure', version: 1, caps: {}, pins: {} } as const

function reportOf(facts: readonly Written[], gathered: Partial<Gathered> = {}): Report {
  const collector = createCollector(run)
  const events = eventsOf(facts)
  let state: LoopState = emptyState
  for (const event of events) {
    collector.see(event, state)
    state = reduce(state, event)
  }
  const standing: Report['standing'] = state.ended?.ending ?? 'crashed'
  const read = { standing, state, owner: undefined, leftBy: undefined, events: state.seq, startedAt: 0, lastAt: 0 }
  return collector.report({ read, changes: undefined, now: 0, gates: [], linesOf: () => undefined, ...gathered })
}

describe('attempts', () => {
  test('carry what each cost, what it changed and what it was denied, and null for what is not known', () => {
    const { attempts } = reportOf([
      started,
      ...iteration(1, passed(0), { tokens: 5, costUsd: 0.5, data: { head: 'abc', changed: false, denied: 3 } }),
      ...iteration(2, passed(0), { data: { changed: null, denied: 'many' } }),
    ])
    expect(attempts).toMatchObject([
      { task: 'iteration-1', tokens: 5, costUsd: 0.5, changed: false, denied: 3, decision: 'done', ms: 180_000 },
      { task: 'iteration-2', tokens: null, costUsd: null, changed: null, denied: null },
    ])
  })

  test('are kept to the last two thousand however many there were, and counted', () => {
    const facts: Written[] = [started]
    for (let number = 1; number <= 9000; number++)
      facts.push(...iteration(number, passed(0), { data: { changed: false } }))
    const { attempts, attemptsMade, lookFirst } = reportOf(facts)
    expect([attempts.length, attempts.at(-1)?.task, attemptsMade]).toEqual([2000, 'iteration-9000', 9000])
    expect(lookFirst.map(({ says }) => says)).toContain('9000 of 9000 attempts changed no file')
  })
})

test('what is under way is told from the moment when it began', () => {
  const [first, ...rest] = iteration(1, passed(1))
  const at = (facts: readonly Written[]): UnderWay | null => {
    const underWay = createUnderWay()
    let state: LoopState = emptyState
    for (const event of eventsOf([started, ...facts])) {
      underWay.see(event)
      state = reduce(state, event)
    }
    return underWay.at({ standing: 'running', state }, Date.parse('2026-02-14T22:05:00Z'))
  }
  const iteration1 = { task: 'iteration-1', attempt: 1 }
  expect(at([first!])).toBeNull()
  expect(at([first!, ...rest.slice(0, 1)])).toEqual({ doing: 'attempt', ...iteration1, sinceMs: 300_000 })
  expect(at([first!, ...rest.slice(0, 3)])).toEqual({ doing: 'gates', ...iteration1, sinceMs: 180_000 })
  expect(at([first!, ...rest.slice(0, 4)])).toBeNull()
})

describe('gates', () => {
  test('have their last result each: a failure tells that those before it passed, and nothing of those behind', () => {
    const { gates } = reportOf([started, ...iteration(1, passed(3)), ...iteration(2, gateFailed(1, 3))], {
      gates: ['lint', 'test'],
    })
    expect(gates.map(({ gate, command, status, task }) => [gate, command, status, task])).toEqual([
      [0, 'lint', 'passed', 'iteration-2'],
      [1, 'test', 'failed', 'iteration-2'],
      [2, null, 'passed', 'iteration-1'],
    ])
    expect(gates[1]?.log).toBe('/run/attempts/iteration-2-attempt-1-gate-2.log')
  })

  test('that did not run because the agent failed keep the result that they had', () => {
    const { gates, lookFirst } = reportOf([started, ...iteration(1, passed(1)), ...iteration(2, agentFailed)], {
      linesOf: (log) => [`the end of ${log}`],
    })
    expect(gates).toMatchObject([{ gate: 0, status: 'passed', task: 'iteration-1' }])
    const log = '/run/attempts/iteration-2-attempt-1-agent.log'
    expect(lookFirst[0]).toEqual({
      about: 'agent-failed',
      says: 'the agent failed in iteration-2: exit 4',
      lines: [`the end of ${log}`],
      log,
    })
  })

  test('a failure that was made good is nothing to look at first', () => {
    const { lookFirst } = reportOf([started, ...iteration(1, gateFailed(0, 1)), ...iteration(2, passed(1))])
    expect(lookFirst.map(({ about }) => about)).not.toContain('gate-failed')
  })

  test('data in any other shape is passed over', () => {
    const shapes: Json[] = ['text', null, [1], { by: 'gate', gate: -1 }, { gates: 1e9 }, { by: 'gate', gate: 1e9 }]
    for (const data of shapes) {
      expect(reportOf([started, ...iteration(1, { status: 'passed', data })]).gates.length).toBeLessThanOrEqual(1000)
      expect(reportOf([started, ...iteration(1, { status: 'failed', data })]).gates.length).toBeLessThanOrEqual(1000)
    }
  })
})

describe('what changed', () => {
  const changes: Changes = {
    head: 'b'.repeat(40),
    history: 'continued',
    commits: [],
    totalCommits: 0,
    files: [],
    totalFiles: 0,
    added: 0,
    deleted: 0,
    uncommitted: 0,
  }
  const from = (head?: string): Written => ({ ...started, pins: head === undefined ? {} : { head } })

  test('is left out with a note where the run did not tell where it started, or git does not answer', () => {
    expect(reportOf([from()])).toMatchObject({
      base: null,
      changes: null,
      changesNote: expect.stringMatching(/did not note/),
    })
    expect(reportOf([from('[x](y)')])).toMatchObject({ base: null, changesNote: expect.stringMatching(/did not note/) })
    expect(reportOf([from('a'.repeat(40))])).toMatchObject({ base: 'a'.repeat(40), changesNote: 'git did not tell' })
    expect(reportOf([from('')], { changes })).toMatchObject({ base: null, changes, changesNote: null })
  })

  test('tells when somebody has gone on since', () => {
    const facts = [from('a'.repeat(40)), ...iteration(1, passed(0), { data: { head: 'c'.repeat(40) } })]
    expect(reportOf(facts, { changes }).changesNote).toMatch(/HEAD has moved/)
    expect(reportOf(facts, { changes: { ...changes, head: 'c'.repeat(40) } }).changesNote).toBeNull()
  })
})

describe('what to look at first', () => {
  const totals = {
    attempts: 4,
    looked: 4,
    unchanged: 0,
    denials: 0,
    deniedAttempts: 0,
    calls: 4,
    unpriced: 0,
    head: null,
  }
  const changes = { ...({} as Changes), history: 'continued', files: [], uncommitted: 0 } as unknown as Changes
  const calm: Noticed = {
    failure: null,
    stories: [],
    lastAttempts: new Map(),
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
    chooseNotices({ ...calm, ...noticed }).map((notice) => notice.says)

  test('is nothing when nothing stands out', () => {
    expect(says({})).toEqual([])
    expect(says({ changes: undefined })).toEqual([])
    expect(says({ changes: files('A test/new.test.ts', 'M src/a.ts') })).toEqual([])
  })

  test.each<[string, Partial<Noticed>]>([
    ['commits from before the run were rewritten', { changes: { ...changes, history: 'rewritten' } }],
    ['the commit that the run started from is gone', { changes: { ...changes, history: 'lost' } }],
    ['1 test file changed: test/a.ts', { changes: files('M test/a.ts') }],
    ['1 test file deleted: a_test.go', { changes: files('D a_test.go') }],
    [
      '2 test files changed, 1 deleted, 1 file of CI or checks changed: test/a, test/b, test/c and 1 more',
      { changes: files('M test/a', 'M test/b', 'D test/c', 'A .github/workflows/x.yml') },
    ],
    ['the agent was denied permission once, in 1 attempt', { totals: { ...totals, denials: 1, deniedAttempts: 1 } }],
    ['3 of 4 attempts changed no file', { totals: { ...totals, unchanged: 3 } }],
    ['1 file is not committed', { changes: { ...changes, uncommitted: 1 } }],
    ['most of the time went into waiting: 90 minutes', { waitMs: 90 * 60_000 }],
    ['the cost of 2 of 4 calls is unknown', { totals: { ...totals, unpriced: 2 } }],
    [
      'the cost of 2 of 4 calls is unknown: the bound on it counts only the others',
      { totals: { ...totals, unpriced: 2 }, priced: true },
    ],
  ])('%s', (text, noticed) => {
    expect(says(noticed)).toEqual([text])
  })

  test('is at most three things, the weightiest first', () => {
    const all: Noticed = {
      stories: [],
      lastAttempts: new Map(),
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
    expect(chooseNotices(all).map(({ about }) => about)).toEqual(['gate-failed', 'bound-not-held', 'judge-changed'])
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
    expect(paths.split(' ').map((path) => [path, kindOf(path)])).toEqual(paths.split(' ').map((path) => [path, kind]))
  }
})

test('a run that was reopened after a failure tells how it stands now', () => {
  const facts = [
    started,
    ...iteration(1, gateFailed(0, 1)),
    ...ended('failed', 'reached max iterations', 'tasks'),
    { type: 'run-reopened', by: 'ann' } as Written,
    ...iteration(2, passed(1)),
    ...ended('completed', 'reached max iterations', 'tasks'),
  ]
  expect(reportOf(facts)).toMatchObject({
    standing: 'completed',
    attemptsMade: 2,
    rule: { by: 'tasks', says: 'reached max iterations' },
  })
})
