import { expect, test } from 'vitest'
import {
  findTurned,
  findUnnoticed,
  findUnsolved,
  isNoWorse,
  turnedGreen,
} from '../../../../../src/modes/delivery/core/evidence/compare-ids.ts'
import {
  formatTestResults,
  readTestIds,
  readTestResults,
  type TestIds,
} from '../../../../../src/modes/delivery/core/evidence/test-ids.ts'

const red = String.fromCharCode(27)

test('what node:test prints is read whichever of its two forms it takes', () => {
  const tap = 'TAP version 13\nok 1 - adds\n'
  const spec = '✔ adds (1ms)\nℹ pass 1\n'
  for (const text of [tap, spec])
    for (const format of ['tap', 'spec'] as const)
      expect([...(readTestIds(text, format)?.passed ?? [])], `${format}: ${text}`).toEqual(['adds'])
  expect(readTestIds(tap, 'pytest')).toBeUndefined()
})

test.each<[string, string, string[], string[]]>([
  [
    'TAP',
    'TAP version 13\n# Subtest: a\n    # Subtest: b\n    ok 1 - b\n    not ok 2 - c\nnot ok 1 - a\nok 2 - d # SKIP\n',
    ['a > b'],
    ['a > c', 'a'],
  ],
  [
    'go test -json',
    '{"Action":"pass","Package":"p","Test":"A"}\n{"Action":"fail","Package":"p","Test":"B"}\n{"Action":"fail","Package":"p"}\n',
    ['p.A'],
    ['p.B'],
  ],
  [
    'pytest -v',
    'tests/a.py::test_a PASSED [ 50%]\ntests/a.py::test_b FAILED [100%]\n',
    ['tests/a.py::test_a'],
    ['tests/a.py::test_b'],
  ],
  [
    'pytest -rA',
    'PASSED tests/a.py::test_a\nFAILED tests/a.py::test_b - assert 1\n',
    ['tests/a.py::test_a'],
    ['tests/a.py::test_b'],
  ],
  ['cargo', 'test tests::a ... ok\ntest tests::b ... FAILED\ntest tests::c ... ignored\n', ['tests::a'], ['tests::b']],
  ['node:test', '✔ a (0.5ms)\n✖ b (1ms)\nℹ pass 1\n\n✖ failing tests:\n\n✖ b (1ms)\n', ['a'], ['b']],
  [
    'JUnit',
    '<testsuite><testcase classname="s" name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase></testsuite>',
    ['s > a'],
    ['b'],
  ],
  [
    'JSON of vitest',
    '{"testResults":[{"name":"f","assertionResults":[{"fullName":"a","status":"passed"},{"fullName":"b","status":"failed"}]}]}',
    ['f > a'],
    ['f > b'],
  ],
  ['go test -v', '=== RUN TestA\n--- PASS: TestA (0.00s)\n--- FAIL: TestB (0.00s)\n', ['TestA'], ['TestB']],
  ['TAP without its version', '1..2\nok 1 - a\nnot ok 2 - b\n', ['a'], ['b']],
  ['pytest, a file that cannot be loaded', 'ERROR tests/a.py - ImportError\n', [], ['tests/a.py']],
  ['go test, failures only', '--- FAIL: TestB (0.00s)\nFAIL\n', [], ['TestB']],
  ['vitest, failures only, in colour', `${red}[41m FAIL ${red}[49m a.test.js > b\n`, [], ['a.test.js > b']],
  ['unittest, failures only', 'FAIL: test_b (tests.A)\n', [], ['test_b (tests.A)']],
])('%s', (_name, text, passed, failed) => {
  const ids = readTestIds(text)
  expect([[...(ids?.passed ?? [])], [...(ids?.failed ?? [])]]).toEqual([passed, failed])
})

test('other output has no tests, and a format that was asked for is not guessed', () => {
  expect(readTestIds('Hello\nok, all right\n')).toBeUndefined()
  expect(readTestIds('--- FAIL: TestB (0.00s)\n', 'tap')).toBeUndefined()
  const forged = 'TAP version 13\nok 1 - forged\n✔ a (0.5ms)\nℹ pass 1\n'
  expect(readTestIds(forged, 'spec')?.passed).toEqual(new Set(['a']))
})

const ids = (passed: string[], failed: string[]): TestIds => ({ passed: new Set(passed), failed: new Set(failed) })

test('a run is no worse if only tests are red that were, and nothing that was green is missing', () => {
  const before = ids(['a'], ['b', 'c'])
  expect(isNoWorse(before, ids(['a', 'b'], ['c']))).toBe(true)
  const worse = [ids(['b'], ['a', 'c']), ids(['b'], ['c']), ids(['a', 'b'], ['c', 'new']), ids(['a', 'b', 'c'], [])]
  expect(worse.map((now) => isNoWorse(before, now))).toEqual([false, false, false, false])
})

test('tests of a file that could not be loaded are red', () => {
  const before = ids(['a.py::x'], ['b.py', 'c.py'])
  const now = ids(['a.py::x', 'b.py::y'], ['b.py::z', 'c.py'])
  expect(isNoWorse(before, now)).toBe(true)
  expect([...turnedGreen(before, now)]).toEqual(['b.py'])
  expect(isNoWorse(before, ids(['a.py::x', 'b.py::y'], ['a.py::z', 'c.py']))).toBe(false)
  // It may be gone.
  expect([...turnedGreen(before, ids(['a.py::x'], ['c.py']))]).toEqual([])
})

test('a test that passes all the same was not noticed, and one that is gone only counts if another one fails in its place', () => {
  const known = ids(['a', 'b', 'x'], [])
  const open = (now: TestIds) => [...findUnnoticed(new Set(['a', 'b']), now, known, (id) => id === 'test/a.test.js')]
  expect(open(ids(['x'], ['a', 'b']))).toEqual([])
  expect(open(ids(['b', 'x'], ['a']))).toEqual(['b'])
  // It is not run at all.
  expect(open(ids(['x'], ['a']))).toEqual(['b'])
  // Its values are in its name; its file cannot be loaded; only failures are named.
  expect(open(ids(['x'], ['a', 'b-2']))).toEqual([])
  expect(open(ids(['x'], ['test/a.test.js']))).toEqual([])
  expect(open(ids([], ['a']))).toEqual(['b'])
  // Anybody can print the name of a file.
  expect(open(ids(['x'], ['test/other.js', 'more.js']))).toEqual([])
  expect(open(ids(['x'], ['test/other.js']))).toEqual(['a', 'b'])
})

test('what failed before must pass now, not only be gone', () => {
  const unsolved = (now: TestIds, isPartial = false) =>
    findUnsolved(ids(['a'], ['b', 'c', 'test/d.js']), now, isPartial)
  expect(unsolved(ids(['a', 'b', 'c'], []))).toEqual([])
  expect(unsolved(ids(['a', 'b'], []))).toEqual(['c'])
  expect([unsolved(ids(['a', 'b'], ['c'])), unsolved(ids(['a', 'b'], ['c']), true)]).toEqual([['c'], []])
  // The output names only failures.
  expect(unsolved(ids([], []))).toEqual([])
})

test('tests turn green that passed for the first time, or no longer fail', () => {
  const turned = (before: TestIds | undefined, now: TestIds | undefined) => [...findTurned(before, now)]
  expect(turned(ids(['a'], ['b', 'c']), ids(['a', 'b'], ['c']))).toEqual(['b'])
  // The file could not be loaded before.
  expect(turned(ids([], ['test/a.js']), ids(['adds'], []))).toEqual(['adds'])
  expect(turned(ids([], ['TestB']), undefined)).toEqual(['TestB'])
  expect(turned(undefined, ids(['a'], []))).toEqual([])
})

test('results survive being stored', () => {
  const stored = { ...ids(['a'], ['b']), format: 'spec' as const }
  expect(readTestResults(formatTestResults(stored))).toEqual(stored)
})

test.each<[string, string]>([
  ['spec', '  count\n    ✔ takes all\n  total\n    1) takes all\n\n  1 passing (3ms)\n'],
  ['cargo', 'test takes all ... ok\ntest takes all ... FAILED\n'],
])('%s: two tests of one name are two tests', (_, text) => {
  expect(readTestIds(text)).toMatchObject(ids(['takes all'], ['takes all[2]']))
})
