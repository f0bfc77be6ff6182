import { describe, expect, test } from 'vitest'
import { type Alteration, alterTest, listAltered } from '../../../../../src/modes/delivery/core/evidence/alter-tests.ts'
import { mustFail } from '../../../../../src/modes/delivery/core/evidence/languages.ts'

const alter = (path: string, text: string, how: Alteration, turn = 0) => alterTest(path, text, how, { seed: 7, turn })

describe('one value of a test becomes another one of its type', () => {
  test.each<[string, string, RegExp]>([
    ['a.test.js', 'assert.equal(sum(2, 3), 5)', /^assert\.equal\(sum\(2, 3\), [0-4]\)$/],
    ['a.test.js', "assert.equal(sum(2, 3), 5, 'adds 3')", /^assert\.equal\(sum\(2, 3\), [0-4], 'adds 3'\)$/],
    ['a.test.js', "assert.equal(slug('A b'), 'a-b', 'why')", /^assert\.equal\(slug\('A b'\), '(?!a-b)\w-\w', 'why'\)$/],
    ['a.test.js', 'assert.ok(isEven(x), why)', /^assert\.ok\(!\(isEven\(x\)\), why\)$/],
    ['a.test.js', 'assert.deepEqual(words(x), [])', /^assert\.deepEqual\(words\(x\), \["[a-z]{6}"\]\)$/],
    [
      'a.test.js',
      "test('rejects 2', () => assert.equal(f(1), 3))",
      /^test\('rejects 2', \(\) => assert\.equal\(f\(1\), [0-2]\)\)$/,
    ],
    ['a.test.js', 'if (sum(2, 3) !== 5) process.exit(1)', /^if \(sum\(2, 3\) !== [0-4]\) process\.exit\(1\)$/],
    ['a.test.js', 'same(sum(2, 3), 5)', /^same\(sum\(2, 3\), [0-4]\)$/],
    ['a.test.ts', 'expect(f(1)).toBe(true)', /^expect\(f\(1\)\)\.toBe\(false\)$/],
    ['a.test.ts', 'expect(f(1)).toBe(-0.5 + 2.25)', /^expect\(f\(1\)\)\.toBe\(-0\.5 \+ [01]\.25\)$/],
    ['test_a.py', 'assert add(2, 3) == 5, "adds 2"', /^assert add\(2, 3\) == [0-4], "adds 2"$/],
    ['test_a.py', 'assert is_even(4)', /^assert not is_even\(4\)$/],
    ['test_a.py', 'self.assertTrue(ok)', /^self\.assertFalse\(ok\)$/],
    ['a_test.go', '\t\t{"small", 2, 3, 5},', /^\t\t\{"small", 2, 3, [0-4]\},$/],
    ['a_test.go', '\tif got := Add(2, 3); got != 5 {', /^\tif got := Add\(2, 3\); got != [0-4] \{$/],
    ['tests/a.rs', 'assert_eq!(add(2, 3), 255);', /^assert_eq!\(add\(2, 3\), 2[45]\d\);$/],
    ['tests/a.rs', 'assert_eq!(first("a"), None);', /^assert_ne!\(first\("a"\), None\);$/],
    ['tests/a.rs', 'assert_eq!(total(), Amount(255));', /^assert_eq!\(total\(\), Amount\(2[45]\d\)\);$/],
    ['test/a.c', '  CHECK(!push(&ring, 50));', /^ {2}CHECK\(!\(!push\(&ring, 50\)\)\);$/],
    ['tests/a.rs', 'assert!(even(2));', /^assert!\(!\(even\(2\)\)\);$/],
    ['test/a.sh', '[ "$(sh sum.sh 2 3)" = 5 ] || exit 1', /^\[ "\$\(sh sum\.sh 2 3\)" = [0-4] \] \|\| exit 1$/],
    ['test/a', '#!/bin/sh\ntest "$(sum 2 3)" = 5', /= [0-4]$/],
  ])('%s: %s', (path, text, altered) => {
    const other = alter(path, text, 'values')
    expect(other).toMatch(altered)
    expect(other).not.toBe(text)
  })

  test.each<[string, string]>([
    ['a.test.ts', "import { a } from './a1.js'"],
    ['a.test.ts', '// assert.equal(a, 1)'],
    ['a.test.ts', 'const x = 1'],
    ['a.test.ts', 'expect.assertions(2)'],
    ['a.test.ts', 'expect(a).not.toBe(2)'],
    ['a.test.ts', "assert.equal(render(), readFileSync('golden.txt', 'utf8'))"],
    ['a_test.go', '\t\tt.Errorf("got %d, want 5", got)'],
    ['test/a.sh', '[ "$failures" -eq 0 ]'],
    ['test_a.py', 'assert f("""\n  x == 1\n""") == g()\n'],
    ['test/expected.txt', 'hello'],
  ])('%s stays: %s', (path, text) => {
    expect(alter(path, text, 'values')).toBeUndefined()
  })

  test('in each test one, and with another turn another one', () => {
    const text =
      "test('a', () => {\n  assert.equal(f(), 1)\n  assert.equal(g(), 2)\n})\n\ntest('b', () => {\n  assert.equal(h(), 3)\n})\n"
    const [first, second] = [alter('a.test.js', text, 'values', 0)!, alter('a.test.js', text, 'values', 1)!]
    const changed = (other: string): number[] =>
      other.split('\n').flatMap((line, index) => (line === text.split('\n')[index] ? [] : [index]))
    expect([changed(first), changed(second)].map((lines) => lines.length)).toEqual([2, 2])
    expect(new Set([...changed(first), ...changed(second)])).toEqual(new Set([1, 2, 6]))
    expect(listAltered('a.test.js', text, first)).toEqual(['a', 'b'])
  })

  test('names of files stay, and rows above a test belong to it', () => {
    const options = { seed: 1, namesFile: (text: string) => text === 'june.txt' }
    expect(alterTest('test_a.py', "assert name() == 'june.txt'", 'values', options)).toBeUndefined()
    const table =
      '@pytest.mark.parametrize("n, text", [\n    (1, "I"),\n])\ndef test_numbers(n, text):\n    assert roman(n) == text\n'
    const altered = alterTest('test_a.py', table, 'values', options)!
    expect(altered).toMatch(/\(0, "I"\)/)
    expect(listAltered('test_a.py', table, altered)).toEqual(['test_numbers'])
  })

  test('nobody foresees the value', () => {
    const all = [1, 2, 3, 4, 5].map((seed) =>
      alterTest('a.test.js', "assert.equal(f(), 'some words')", 'values', { seed }),
    )
    expect(new Set(all).size).toBeGreaterThan(2)
  })
})

describe('what is expected becomes something that nothing equals', () => {
  test.each<[string, string, RegExp]>([
    [
      'a.test.js',
      'assert.deepEqual(\n  f(1),\n  read("a.txt"),\n)',
      /^assert\.deepEqual\(\n {2}f\(1\),\[read\("a\.txt"\), "\w+"\],\n\)$/,
    ],
    ['a.test.js', 'expect(f()).toEqual(row.want)', /^expect\(f\(\)\)\.toEqual\(\[row\.want, "\w+"\]\)$/],
    [
      'a.test.js',
      "test('runs', () => {\n  f()\n})",
      /^test\('runs', \(\) => \{ throw new Error\("this test must fail"\)\n {2}f\(\)\n\}\)$/,
    ],
    ['a.test.js', "test('runs', () => f())", /^test\('runs', \(\) => \{ throw .* \}, \(\) => f\(\)\)$/],
    [
      'test_a.py',
      'assert total(x) == Decimal("1.90"), "why"',
      /^assert total\(x\) == \(Decimal\("1\.90"\), "\w+"\), "why"$/,
    ],
    [
      'test_a.py',
      'self.assertEqual(f(), date(2024, 1, 31))',
      /^self\.assertEqual\(f\(\),\(date\(2024, 1, 31\), "\w+"\)\)$/,
    ],
    [
      'test_a.py',
      'def test_runs():\n    f()',
      /^def test_runs\(\):\n {4}raise AssertionError\("this test must fail"\)\n {4}f\(\)$/,
    ],
    ['a_test.go', 'func TestRuns(t *testing.T) {\n\tf()\n}', /^func TestRuns\(t \*testing\.T\) \{ t\.Fatal\(/],
    ['tests/a.rs', '#[test]\nfn runs() {\n    f();\n}', /^#\[test\]\nfn runs\(\) \{ panic!\(/],
  ])('%s: %s', (path, text, altered) => {
    expect(alter(path, text, 'expected')).toMatch(altered)
  })

  test('but not what must differ', () => {
    expect(alter('a.test.js', 'assert.notEqual(f(), 1)\nexpect(f()).not.toBe(2)', 'expected')).toBeUndefined()
  })
})

test('expected output keeps its shape', () => {
  expect(alter('test/expected.txt', 'hello\n', 'data')).toMatch(/^(?!hello)[a-z]{5}\n$/)
  expect(alter('test/expected.json', '{\n  "a": 12,\n  "b": "x"\n}\n', 'data')).toMatch(
    /^\{\n {2}"a": \d+,\n {2}"b": "[^x]"\n\}\n$/,
  )
  expect(alter('test/a.snap', '// Snapshot\n\nexports[`a 1`] = `"tea"`;\n', 'data')).toMatch(
    /^\/\/ Snapshot\n\nexports\[`a 1`\] = `"(?!tea)\w{3}"`;\n$/,
  )
  expect(alter('test/a.js', 'hello\n', 'data')).toBeUndefined()
})

test('a failure or a comment is added at the end, in the language of the test', () => {
  expect(alter('a.test.js', 'test()\n', 'failure')).toBe(`test()\nthrow new Error("${mustFail}")\n`)
  expect(alter('a_test.go', 'package a\n', 'failure')).toContain('t.Fatal(')
  expect(alter('test_a.py', 'x\n', 'comment')).toMatch(/^x\n# [a-z]{6}\n$/)
})

test('in a source with tests inside, only those are altered, where they are', () => {
  const source =
    'pub fn is(x: i32) -> bool { x == 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {\n        assert_eq!(is(1), true);\n    }\n}\n\npub fn more() {}\n'
  expect(alterTest('src/lib.rs', source, 'values', { seed: 1, isTest: false })).toBe(
    source.replace('is(1), true', 'is(1), false'),
  )
})

test.each([
  ['calls that do not end', 'assert.equal('.repeat(50_000)],
  ['values without end', '"a", '.repeat(100_000)],
  ['brackets', `assert.equal(f(${'('.repeat(100_000)}`],
  ['quotes', "it('".repeat(100_000)],
])('%s do not keep the rest from being altered', (_name, text) => {
  for (const how of ['values', 'expected'] as const)
    expect(alter('a.test.js', `${text}\nassert.equal(f(), 1)\n`, how)).not.toContain('\nassert.equal(f(), 1)\n')
})
