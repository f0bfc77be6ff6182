import { expect, test } from 'vitest'
import {
  findTurned,
  formatTestResults,
  hasFailed,
  isNoWorse,
  readTestIds,
  readTestResults,
  type TestIds,
} from '../../../../../src/modes/delivery/core/evidence/test-ids.ts'

const red = String.fromCharCode(27)

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
})

const ids = (passed: string[], failed: string[]): TestIds => ({ passed: new Set(passed), failed: new Set(failed) })

test('a run is no worse if only tests are red that were, and nothing that was green is missing', () => {
  const before = ids(['a'], ['b', 'c'])
  expect(isNoWorse(before, ids(['a', 'b'], ['c']))).toBe(true)
  const worse = [ids(['b'], ['a', 'c']), ids(['b'], ['c']), ids(['a', 'b'], ['c', 'new']), ids(['a', 'b', 'c'], [])]
  expect(worse.map((now) => isNoWorse(before, now))).toEqual([false, false, false, false])
})

test('a test has failed if it is red, or if it is not among those that are listed', () => {
  expect(
    [ids([], ['a']), ids(['b'], []), ids(['a'], ['b']), ids([], ['b'])].map((now) => hasFailed(new Set(['a']), now)),
  ).toEqual([true, true, false, false])
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
  expect(readTestResults(formatTestResults(ids(['a'], ['b'])))).toEqual(ids(['a'], ['b']))
})
