import { expect, test } from 'vitest'
import { type Alteration, alterTest } from '../../../../../src/modes/delivery/core/evidence/alter-tests.ts'

test.each<[string, Alteration, string, string | undefined]>([
  ['a.test.js', 'last', 'assert.equal(sum(2, 3), 5)', 'assert.equal(sum(2, 3), 6)'],
  ['a.test.js', 'last', "assert.equal(sum(2, 3), 5, 'adds')", "assert.equal(sum(2, 3), 6, 'adds')"],
  ['a.test.js', 'second', "assert.equal(slug('A b'), 'a-b')", "assert.equal(slug('A b~'), 'a-b')"],
  ['a.test.js', 'last', "assert.equal(slug('A b'), 'a-b')", "assert.equal(slug('A b'), 'a-b~')"],
  ['a.test.js', 'last', 'assert.ok(isEven(x), why)', 'assert.ok(!(isEven(x)), why)'],
  ['a.test.js', 'last', 'assert.deepEqual(words(x), [])', 'assert.deepEqual(words(x), ["~"])'],
  ['a.test.ts', 'last', 'expect(f()).toBe(true)', 'expect(f()).toBe(false)'],
  ['a.test.ts', 'last', "import { a } from './a1.js'", undefined],
  ['a.test.ts', 'last', '// assert.equal(a, 1)', undefined],
  ['a.test.ts', 'last', 'const x = 1', undefined],
  ['a.test.ts', 'everything', "const x = [1, 'ab', 'a']", "const x = [2, 'ab~', '~']"],
  ['test_a.py', 'last', 'assert add(2, 3) == 5', 'assert add(2, 3) == 6'],
  ['test_a.py', 'last', 'assert is_even(4)', 'assert not is_even(4)'],
  ['test_a.py', 'last', 'self.assertTrue(ok)', 'self.assertFalse(ok)'],
  ['a_test.go', 'last', '\t\t{"small", 2, 3, 5},', '\t\t{"small", 2, 3, 6},'],
  ['tests/a.rs', 'last', 'assert_eq!(add(2, 3), 5);', 'assert_eq!(add(2, 3), 6);'],
  ['tests/a.rs', 'last', 'assert_eq!(first("a"), None);', 'assert_ne!(first("a"), None);'],
  [
    'a.test.js',
    'last',
    "test('rejects others', () => assert.equal(f(1), 2))",
    "test('rejects others', () => assert.equal(f(1), 3))",
  ],
  ['tests/a.rs', 'last', 'assert!(even(2));', 'assert!(!(even(2)));'],
  ['test/a.sh', 'last', 'test "$(sh sum.sh 2 3)" = 5', 'test "$(sh sum.sh 2 3)" = 6'],
  ['test/expected.txt', 'last', 'hello', undefined],
  ['test/expected.txt', 'data', 'hello\n', 'hello~\n'],
  ['test/a.js', 'data', 'hello\n', undefined],
])('%s, %s: %s', (path, how, text, altered) => {
  expect(alterTest(path, text, how)).toBe(altered)
})

test('a failure is added at the end, in the language of the test', () => {
  expect(alterTest('a.test.js', 'test()\n', 'failure')).toBe('test()\nthrow new Error("this test must fail")\n')
  expect(alterTest('a_test.go', 'package a\n', 'failure')).toContain('t.Fatal(')
})

test('in a source with tests inside, only those are altered', () => {
  const source = 'pub fn is(x: i32) -> bool { x == 1 }\n\n#[cfg(test)]\nmod tests {\n    assert_eq!(is(1), true);\n}\n'
  expect(alterTest('src/lib.rs', source, 'last', false)).toBe(`${source.replace('is(1), true', 'is(2), true')}\n`)
})

test('texts of several lines stay', () => {
  const text = 'assert f("""\n  x == 1\n""") == 2\n'
  expect(alterTest('test_a.py', text, 'everything')).toBeUndefined()
})
