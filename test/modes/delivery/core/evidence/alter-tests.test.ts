import { describe, expect, test } from 'vitest'
import {
  type Alteration,
  alterTest,
  countAlterations,
  emptyTest,
  listTests,
} from '../../../../../src/modes/delivery/core/evidence/alter-tests.ts'
import { mustFail } from '../../../../../src/modes/delivery/core/evidence/languages.ts'

/** Of half of the tests, the first turn alters none. */
const alter = (path: string, text: string, how: Alteration): string | undefined =>
  [0, 1].map((turn) => alterTest(path, text, how, { seed: 8, turn })?.text).find((other) => other !== undefined)

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
    [
      'a.test.js',
      "\tassert.type(fn(), 'text', 'returns a text')",
      /^\tassert\.type\(fn\(\), '(?!text)\w{4}', 'returns a text'\)$/,
    ],
    [
      'a.test.js',
      "  reads(t, 'a=1', { a: 'one' }, 'a value by itself')",
      /^ {2}reads\(t, 'a=1', \{ a: '(?!one)\w{3}' \}, 'a value by itself'\)$/,
    ],
    ['a.test.js', "t.ok(list.has(ANY), 'has any')", /^t\.ok\(!\(list\.has\(ANY\)\), 'has any'\)$/],
    ['a.test.js', "get('/').expect('Content-Type', /html/)", /^get\('\/'\)\.expect\('Content-Type', \/[a-z]{6}\/\)$/],
    ['a.test.js', "assert.match(f(), /one, (two|three)/, 'why')", /^assert\.match\(f\(\), \/[a-z]{6}\/, 'why'\)$/],
    ['a.test.js', "t.type(f, 'function', 'is one')", /^t\.type\(f, '(?!function)\w{8}', 'is one'\)$/],
    ['a.test.js', 't.notOk(a > b)', /^t\.notOk\(!\(a > b\)\)$/],
    ['a.test.js', 't.false(fits(v, r), why)', /^t\.false\(!\(fits\(v, r\)\), why\)$/],
    [
      'test_a.py',
      'assert last(x) == -FIRST  # by size, from 1',
      /^assert last\(x\) == \(lambda .*\) {2}# by size, from 1$/,
    ],
    ['a_test.go', '\tif id.String() == "" {', /^\tif !\(id\.String\(\) == ""\) \{$/],
    ['a_test.go', '\tif name == "" || size != 3 {', /^\tif name == "" \|\| size != [0-2] \{$/],
    ['test_a.py', 'assert add(2, 3) == 5, "adds 2"', /^assert add\(2, 3\) == [0-4], "adds 2"$/],
    ['test_a.py', 'assert is_even(4)', /^assert not is_even\(4\)$/],
    ['test_a.py', 'self.assertTrue(ok)', /^self\.assertTrue\(not \(ok\)\)$/],
    ['a_test.go', '\t\t{"small", 2, 3, 5},', /^\t\t\{"small", 2, 3, [0-4]\},$/],
    ['a_test.go', '\tif got := Add(2, 3); got != 5 {', /^\tif got := Add\(2, 3\); got != [0-4] \{$/],
    [
      'a_test.go',
      '\tfor _, c := range []struct{ a, sum int }{{1, 2}, {19, 25}} {',
      /\{\{1, 2\}, \{19, (?!25)\d+\}\} \{$/,
    ],
    ['a_test.go', '\t\tif value != leaves[name] {', /^\t\tif !\(value != leaves\[name\]\) \{$/],
    [
      'a.test.js',
      'fc.assert(fc.property(fc.nat(), (n) => twice(n) === n + n))',
      /^fc\.assert\(fc\.property\(fc\.nat\(\), \(n\) => twice\(n\) !== n \+ n\)\)$/,
    ],
    ['tests/a.rs', 'assert_eq!(add(2, 3), 255);', /^assert_eq!\(add\(2, 3\), (?!255)\d+\);$/],
    ['tests/a.rs', 'assert_eq!(first("a"), None);', /^assert_ne!\(first\("a"\), None\);$/],
    ['tests/a.rs', 'assert_eq!(total(), Amount(255));', /^assert_eq!\(total\(\), Amount\((?!255)\d+\)\);$/],
    ['tests/a.rs', 'assert_eq!(add(2), Ok(euros(255)));', /^assert_eq!\(add\(2\), Ok\(euros\((?!255)\d+\)\)\);$/],
    ['test/a.c', '  CHECK(!push(&ring, 50));', /^ {2}CHECK\(!\(!push\(&ring, 50\)\)\);$/],
    ['tests/a.rs', 'assert!(even(2));', /^assert!\(!\(even\(2\)\)\);$/],
    ['test/a.sh', '[ "$(sh sum.sh 2 3)" = 5 ] || exit 1', /^\[ "\$\(sh sum\.sh 2 3\)" = [0-4] \] \|\| exit 1$/],
    ['test/a.sh', '[ "$(get 2)" = weekly ] || exit 1', /^\[ "\$\(get 2\)" = (?!weekly)\w+ \] \|\| exit 1$/],
    ['test/a.sh', '[ -z "$(get 2)" ]', /^\[ -n "\$\(get 2\)" \]$/],
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
    ['test_a.py', 'assert False, "nobody gets here"'],
    ['a.test.js', "assert(false, 'nobody gets here')"],
    ['a_test.go', '\t\tt.Errorf("got %d, want 5", got)'],
    ['a_test.go', '\tfor i := 0; i < 3; i++ {'],
    ['test/a.sh', '[ "$failures" -eq 0 ]'],
    ['test/expected.txt', 'hello'],
  ])('%s stays: %s', (path, text) => {
    expect(alter(path, text, 'values')).toBeUndefined()
  })

  test('each assertion of each test once, the last one first, and each test is left alone once', () => {
    const text =
      "test('a', () => {\n  assert.equal(f(), 1)\n  assert.equal(g(), 2)\n})\n\ntest('b', () => {\n  assert.equal(h(), 3)\n})\n"
    const options = { seed: 8 }
    const turns = [0, 1].map((turn) => alterTest('a.test.js', text, 'values', { ...options, turn })!)
    expect(countAlterations('a.test.js', text, options)).toBe(3)
    const lines = text.split('\n')
    const changed = turns.map((one) =>
      one.text.split('\n').flatMap((line, index) => (line === lines[index] ? [] : [index])),
    )
    expect(changed).toEqual([[2], [1, 6]])
    expect(turns.map(({ tests }) => tests)).toEqual([['a'], ['a', 'b']])
    const skips = new Set(['a', 'b'])
    expect(alterTest('a.test.js', text, 'values', { ...options, turn: 1, skips })).toBeUndefined()
    expect(listTests('a.test.js', text)).toEqual(['a', 'b'])
  })

  test.each([
    ['test/a.sh', 'same() {\n  [ "$1" = "$2" ] || exit 1\n}\nsame "$(sum 1 2)" 3\nsame "$(sum 2 2)" 4\n', [3, 4]],
    ['a.test.js', 'function same(a, b) {\n  if (a !== b) process.exit(1)\n}\nsame(f(1), 3)\nsame(f(2), 4)\n', [3, 4]],
    ['a.test.js', "const same = require('./same')\nopen()\nsame(f(1), 3)\nsame(f(2), 4)\n", [2, 3]],
  ])('%s: each call of a function of the tests that asserts something', (path, text, wanted) => {
    const lines = text.split('\n')
    const turns = Array.from({ length: countAlterations(path, text, { seed: 8, isOne: true }) }, (_, turn) =>
      alterTest(path, text, 'values', { seed: 8, isOne: true, turn }),
    )
    const changed = turns.flatMap((one) =>
      one!.text.split('\n').flatMap((line, at) => (line === lines[at] ? [] : [at])),
    )
    for (const line of wanted) expect(changed).toContain(line)
  })

  test('names of files stay, and rows above a test belong to it', () => {
    const options = { seed: 2, namesFile: (text: string) => text === 'june.txt' }
    expect(alterTest('test_a.py', "assert name() == 'june.txt'", 'values', { ...options, isOne: true })!.text).toMatch(
      /\(o, 'june\.txt'\)/,
    )
    const table =
      '@pytest.mark.parametrize("n, text", [\n    (1, "I"),\n])\ndef test_numbers(n, text):\n    assert roman(n) == text\n'
    const altered = alterTest('test_a.py', table, 'values', options)!
    expect(altered.text).toMatch(/\(o, text\)/)
    expect(altered.tests).toEqual(['test_numbers'])
  })

  test('nobody foresees the value', () => {
    const all = [1, 2, 3, 4, 5].map(
      (seed) => alterTest('a.test.js', "assert.equal(f(), 'some words')", 'values', { seed, isOne: true })?.text,
    )
    expect(new Set(all).size).toBeGreaterThan(2)
  })
})

describe('without a value, a claim becomes false, or its expression gets another result', () => {
  test.each<[string, string, RegExp]>([
    [
      'a.test.js',
      'assert.deepEqual(\n  f(1),\n  read(name),\n)',
      /^assert\.deepEqual\(\n {2}f\(1\),\(function o\(v\).*\)\(read\(name\)\),\n\)$/,
    ],
    ['a.test.js', 'expect(f()).toEqual(row.want)', /^expect\(f\(\)\)\.toEqual\(\(function o\(v\).*\(row\.want\)\)$/],
    ['a.test.ts', 'expect(f()).toEqual(row.want)', /\(function o\(v: any\): any /],
    ['a.test.js', 'expect(f).toThrow("no")', /^expect\(\(\) => \{\}\)\.toThrow\("no"\)$/],
    ['a.test.js', 'assert.throws(() => f(1), /no/)', /^assert\.throws\(\(\) => \{\}, \/no\/\)$/],
    ['a.test.js', 'expect(f()).toBeGreaterThan(2)', /^expect\(Number\.NaN\)/],
    ['a.test.js', 'expect(f()).not.toBe(2)', /^expect\(2\)\.not\.toBe\(2\)$/],
    ['a.test.js', 'expect(f()).not.toContain(2)', /^expect\(f\(\)\)\.toContain\(2\)$/],
    ['a.test.js', 'assert.ok(total().equals(new Money(5)))', /^assert\.ok\(total\(\)\.equals\(new Money\([0-4]\)\)\)$/],
    ['a_test.go', '\tif !got.Equal(Of(1999)) {\n\t\tt.Error(got)', /^\tif !got\.Equal\(Of\((?!1999)\d+\)\) \{\n/],
    ['test_a.py', 'assert rank("b") >= rank("a"), "why"', /^assert rank\("a"\) > rank\("b"\), "why"$/],
    ['tests/a.rs', 'assert!(low() < high());', /^assert!\(high\(\) < low\(\)\);$/],
    ['a.test.js', "assert.equal(f(2), exists('.old'))", /\(function o\(v\).*\(exists\('\.old'\)\)\)$/],
    [
      'a.test.js',
      'fc.assert(fc.property(fc.nat(9), (n) => back(to(n)) === n), { seed: 7 })',
      /=> back\(to\(n\)\) !== n\), \{ seed: 7 \}\)$/,
    ],
    ['a.test.js', "assert.ok(page().includes('tea'))", /includes\('(?!tea')\w{3}'\)\)$/],
    ['a.test.js', "assert.ok(!page().includes('tea'))", /^assert\.ok\(!\(!page\(\)\.includes\('tea'\)\)\)$/],
    ['a.test.js', 'assert.notEqual(f(2), 3)', /^assert\.notEqual\(f\(2\),f\(2\)\)$/],
    [
      'a.test.js',
      "test('runs', () => {\n  f()\n})",
      /^test\('runs', \(\) => \{ throw new Error\("this test must fail"\)\n {2}f\(\)\n\}\)$/,
    ],
    ['test_a.py', 'with pytest.raises(ValueError):', /^with pytest\.raises\(type\("\w+", \(Exception,\), \{\}\)\):$/],
    ['test_a.py', 'self.assertGreater(f(), 2)', /^self\.assertGreater\(\*reversed\(\(f\(\), 2\)\), 2\)$/],
    ['test_a.py', 'self.assertLessEqual(f(g(9) - 1), 2)', /^self\.assertLessEqual\(float\("nan"\), 2\)$/],
    ['test_a.py', 'self.assertTrue(f())', /^self\.assertTrue\(not \(f\(\)\)\)$/],
    ['test_a.py', 'assert total(x) == wanted, "why"', /^assert total\(x\) == \(lambda o: .*\), "why"$/],
    ['test_a.py', 'self.assertEqual(\n    f(),\n    date(2024, 1, 31),\n)', /date\(2024, 1, (?!31)\d+\)/],
    ['a_test.go', '\tif Compare(a, b) >= 0 {\n\t\tt.Error(a)', /^\tif !\(Compare\(a, b\) >= 0\) \{\n/],
    ['a_test.go', '\tif err != nil {\n\t\tt.Fatal(err)', /^\tif !\(err != nil\) \{\n/],
    ['tests/a.rs', 'assert_eq!(\n    total(),\n    Amount { cents: 5 },\n);', /cents: [0-4] /],
    ['tests/a.rs', '#[test]\nfn runs() {\n    f();\n}', /^#\[test\]\nfn runs\(\) \{\n? ?panic!/],
  ])('%s: %s', (path, text, altered) => {
    expect(alter(path, text, 'values') ?? text).toMatch(altered)
  })
})

test('a function inside of a test is a part of it, whatever it is called', () => {
  const text =
    'def test_a():\n    def test():\n        f()\n    assert g() == 1\n\nclass TestB:\n    def test_c(self):\n        assert h() == 2\n'
  expect(listTests('test_a.py', text)).toEqual(['test_a', 'test_c'])
  const fixture = '@pytest.fixture(params=[1])\ndef test_value(request):\n    return 1\n\n'
  expect(listTests('test_a.py', fixture + text)).toEqual(['test_a', 'test_c'])
})

test('that nothing went wrong on the way is tried only where a test asks nothing else', () => {
  const guard = '\tx, err := f()\n\tif err != nil {\n\t\tt.Fatal(err)\n\t}\n'
  const asking = `func TestF(t *testing.T) {\n${guard}\tif x != 5 {\n\t\tt.Error(x)\n\t}\n}\n`
  const count = (text: string): number => countAlterations('a_test.go', text, { seed: 8 })
  expect(count(asking)).toBe(count(`func TestF(t *testing.T) {\n${guard}}\n`))
  expect(alter('a_test.go', asking, 'values')).toMatch(/if err != nil[\s\S]*x != [0-4] /)
})

test('expected output keeps its shape', () => {
  expect(alter('test/expected.txt', 'hello\n', 'data')).toMatch(/^(?!hello)[a-zA-Z]{5}\n$/)
  expect(alter('test/expected.json', '{\n  "a": 12,\n  "b": "x"\n}\n', 'data')).toMatch(
    /^\{\n {2}"a": \d+,\n {2}"b": "[^x]"\n\}\n$/,
  )
  expect(alter('test/a.snap', '// Snapshot\n\nexports[`a 1`] = `"tea"`;\n', 'data')).toMatch(
    /^\/\/ Snapshot\n\nexports\[`a 1`\] = `"(?!tea)\w{3}"`;\n$/,
  )
  expect(alter('test/a.js', 'hello\n', 'data')).toBeUndefined()
  // Perhaps a program in a language of its own: what is expected is quoted last.
  expect(alter('test/a.test', 'check "says so" "$(sh greet.sh)" "hello"\n', 'data')).toMatch(
    /^check "says so" "\$\(sh greet\.sh\)" "(?!hello")\w{5}"\n$/,
  )
})

test('a failure or a comment is added at the end, in the language of the test', () => {
  expect(alter('a.test.js', 'test()\n', 'failure')).toBe(`test()\nthrow new Error("${mustFail}")\n`)
  expect(alter('a_test.go', 'package a\n', 'failure')).toContain('t.Fatal(')
  expect(alter('test_a.py', 'x\n', 'comment')).toMatch(/^x\n# A[a-z]{6}\n$/)
})

test('an emptied test still compiles', () => {
  expect(emptyTest('a_test.go', '// A comment.\npackage a\n\nfunc TestA(t *testing.T) {}\n')).toBe('package a\n')
  expect(emptyTest('test/a.c', '#include <assert.h>\nint main(void) { assert(f()); }\n')).toContain('int main(')
  expect(emptyTest('a.test.js', 'test()')).toBe('')
})

test('in a source with tests inside, only those are altered, where they are', () => {
  const source =
    'pub fn is(x: i32) -> bool { x == 1 }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn one() {\n        assert_eq!(is(1), true);\n    }\n}\n\npub fn more() {}\n'
  expect(alterTest('src/lib.rs', source, 'values', { seed: 2, isTest: false })?.text).toBe(
    source.replace('is(1), true', 'is(1), false'),
  )
})

test.each([
  ['calls that do not end', 'assert.equal('.repeat(50_000)],
  ['values without end', '"a", '.repeat(100_000)],
  ['brackets', `assert.equal(f(${'('.repeat(100_000)}`],
  ['quotes', "it('".repeat(100_000)],
])('%s do not keep the rest from being altered', (_name, text) => {
  expect(alter('a.test.js', `${text}\nassert.equal(f(), 1)\n`, 'values')).not.toContain('\nassert.equal(f(), 1)\n')
})
