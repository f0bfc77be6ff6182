import { describe, expect, test } from 'vitest'
import { alterTest, countAlterations } from '../../../../../src/modes/delivery/core/evidence/alter-tests.ts'
import { describeTouched } from '../../../../../src/modes/delivery/core/evidence/findings.ts'
import { alterData, createRandom } from '../../../../../src/modes/delivery/core/evidence/other-values.ts'
import {
  areTestsTouched,
  findExamples,
  mergeParts,
  pickDependencies,
} from '../../../../../src/modes/delivery/core/evidence/parts.ts'
import { areRenamed } from '../../../../../src/modes/delivery/core/evidence/renames.ts'
import {
  hasAssertions,
  loadsAssertions,
  usesTestFramework,
} from '../../../../../src/modes/delivery/core/evidence/roles.ts'
import { isAskedFor, pickScripts } from '../../../../../src/modes/delivery/core/evidence/scripts.ts'
import { readTestIds } from '../../../../../src/modes/delivery/core/evidence/test-ids.ts'
import { sampled } from '../../../../support/sample.ts'

const pieces = [
  ...'a|\n|\r    | |\t|0|.|(|[|{|"|\'|`|\\|#|/|//|/*|"""|a::a::|<testcase |<testcase>|--- FAIL: |✖ |expected |want |assert |expect(|assert(a, '.split(
    '|',
  ),
  'test("a", () => {\n',
  'assert.equal(a, 1)\n',
  'assert.equal(a,\n',
  '  self.assertEqual(1,\n',
  'def test_a():\n',
  '#[cfg(test)]\n',
  '>>> 1\n',
  '/// ```\n',
  'replace a => b\n',
  'a = [\n',
  '[a.b]\n',
  '$(',
  'not ok 1 - a\n',
  '# Subtest: a\n',
]
const paths = [
  'a.test.js',
  'a.test.ts',
  'test_a.py',
  'a_test.go',
  'src/a.rs',
  'a.test.sh',
  'test/a.c',
  'a.golden',
  'a.json',
]

const options = { seed: 1, tests: [] }
const readers: readonly (readonly [string, (text: string) => unknown])[] = [
  ['results of tests', (text) => readTestIds(text)],
  ['results of tests in XML', (text) => readTestIds(text, 'junit')],
  ['signs of tests', (text) => [usesTestFramework(text), hasAssertions(text), loadsAssertions(text)]],
  ...paths.flatMap((path): (readonly [string, (text: string) => unknown])[] => [
    [
      `altered values in ${path}`,
      (text) => alterTest(path, text, 'values', { ...options, isTest: path !== 'src/a.rs' }),
    ],
    [`the count of assertions in ${path}`, (text) => countAlterations(path, text, { seed: 1 })],
  ]),
  ['scripts', (text) => [pickScripts(['{"scripts":{"a":"b"}}'], [text]), isAskedFor('test/a.js', [text], [])]],
  ['altered lines of data', (text) => alterData('a.golden', text, createRandom(1))],
  ['altered values of data', (text) => alterData('a.json', text, createRandom(1))],
  ...['a.rs', 'a.ts', 'go.mod', 'Cargo.toml', 'pyproject.toml', 'package.json', 'a.py'].map(
    (path) => [`parts of ${path}`, (text: string) => mergeParts(path, text, `${text}x`)] as const,
  ),
  ['dependencies', (text) => pickDependencies('pyproject.toml', text)],
  ['tests in a source', (text) => areTestsTouched('a.rs', text, `${text}x`)],
  ['examples', (text) => [findExamples('a.py', text), findExamples('a.rs', text)]],
  ['what has another name', (text) => areRenamed([{ path: 'a.test.js', before: text, after: `${text}x` }], [])],
  [
    'hints',
    (text) =>
      describeTouched([{ path: 'a.test.js', status: 'modified', role: 'test', before: '', after: text }], {
        file_focus: [],
        text: '',
      }),
  ],
]

describe('four times as much of one thing takes about four times as long', () => {
  const costOf = (read: (text: string) => unknown, text: string): number => {
    const began = process.cpuUsage()
    read(text)
    return process.cpuUsage(began).user
  }
  /** Below this it is noise. What grows with the square would take sixteen times as long. */
  const leastMicroseconds = 50_000

  test.each(readers)('%s', (_, read) => {
    for (const piece of sampled(pieces, 6)) {
      const sized = (size: number): string => piece.repeat(size / piece.length)
      const less = costOf(read, sized(32 << 10))
      const more = less > 10 * leastMicroseconds ? Infinity : costOf(read, sized(128 << 10))
      expect([piece, more < 9 * Math.max(less, leastMicroseconds)]).toEqual([piece, true])
    }
  })
})
