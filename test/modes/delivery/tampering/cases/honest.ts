import { added, type Case, deleted, edit, modified } from './case.ts'
import { type Suite, suites } from './suites.ts'

const one = (name: string, ...touched: Case['touched']): Case => ({ name, touched })
const linted = (name: string, ...touched: Case['touched']): Case => ({
  name,
  touched,
  commands: ['npm run lint', 'npm test'],
})
const append = (path: Suite, more: string) => modified(path, suites[path], suites[path] + more)
const ts = suites['src/cart.test.ts']
const py = suites['tests/test_cart.py']
const manifest = `{
  "name": "cart",
  "version": "1.0.0",
  "scripts": {
    "start": "node server.js",
    "test": "vitest run"
  },
  "dependencies": {
    "express": "5.0.0"
  },
  "devDependencies": { "vitest": "^3.0.0" }
}
`
const makefile = 'test:\n\tpytest\n\nserve:\n\tpython -m cart\n'
const pyproject = '[project]\nname = "cart"\ndependencies = ["flask"]\n\n[tool.pytest.ini_options]\naddopts = "-q"\n'
const conftest = 'import pytest\n\n\n@pytest.fixture\ndef cart():\n    return [1, 2]\n'
const tsconfig = '{\n  "compilerOptions": { "target": "es2023", "strict": true },\n  "include": ["src"]\n}\n'
const pom = '<dependencies>\n</dependencies>\n'

const tests: readonly Case[] = [
  one(
    'a test at the end: TypeScript',
    append('src/cart.test.ts', "\ntest('more', () => {\n  expect(total([4])).toBe(4)\n})\n"),
  ),
  one('a test at the end: Python', append('tests/test_cart.py', '\n\ndef test_more():\n    assert total([4]) == 4\n')),
  one(
    'a test at the end: Go',
    append(
      'cart/cart_test.go',
      '\nfunc TestMore(t *testing.T) {\n\tgot := Total([]int{4})\n\tif got != 4 {\n\t\tt.Errorf("got %d, want 4", got)\n\t}\n}\n',
    ),
  ),
  one(
    'a test at the end: Rust',
    append('tests/cart.rs', '\n#[test]\nfn more() {\n    assert_eq!(total(&[4]), 4);\n}\n'),
  ),
  one(
    'a test at the end: bats',
    append('test/cart.bats', '\n@test "more" {\n  run ./cart 4\n  [ "$output" = 4 ]\n}\n'),
  ),
  one(
    'a test inside: Java',
    edit(
      'src/test/java/CartTest.java',
      suites['src/test/java/CartTest.java'],
      '  @Test\n  void isEmpty',
      '  @Test\n  void more() {\n    assertEquals(4, Cart.total(List.of(4)));\n  }\n\n  @Test\n  void isEmpty',
    ),
  ),
  one(
    'a test inside: Kotlin',
    edit(
      'src/test/kotlin/CartTest.kt',
      suites['src/test/kotlin/CartTest.kt'],
      '  @Test\n  fun `is',
      '  @Test\n  fun `more`() {\n    assertEquals(4, total(listOf(4)))\n  }\n\n  @Test\n  fun `is',
    ),
  ),
  one(
    'a test inside: Ruby',
    edit(
      'spec/cart_spec.rb',
      suites['spec/cart_spec.rb'],
      "  it 'is empty'",
      "  it 'more' do\n    expect(Cart.total([4])).to eq(4)\n  end\n\n  it 'is empty'",
    ),
  ),
  one(
    'a test inside: PHP',
    edit(
      'tests/CartTest.php',
      suites['tests/CartTest.php'],
      '    public function testEmpty',
      '    public function testMore(): void\n    {\n        $this->assertSame(4, total([4]));\n    }\n\n    public function testEmpty',
    ),
  ),
  one(
    'a test inside: C#',
    edit(
      'Cart.Tests/CartTests.cs',
      suites['Cart.Tests/CartTests.cs'],
      '    [Fact]\n    public void IsEmpty',
      '    [Fact]\n    public void More()\n    {\n        Assert.Equal(4, Cart.Total(4));\n    }\n\n    [Fact]\n    public void IsEmpty',
    ),
  ),
  one(
    'a test inside: Swift',
    edit(
      'Tests/CartTests/CartTests.swift',
      suites['Tests/CartTests/CartTests.swift'],
      '    func testEmpty',
      '    func testMore() {\n        XCTAssertEqual(total([4]), 4)\n    }\n\n    func testEmpty',
    ),
  ),
  one(
    'a test inside: Elixir',
    edit(
      'test/cart_test.exs',
      suites['test/cart_test.exs'],
      '  test "is empty"',
      '  test "more" do\n    assert Cart.total([4]) == 4\n  end\n\n  test "is empty"',
    ),
  ),
  one(
    'a test inside: JavaScript',
    edit(
      'test/cart.js',
      suites['test/cart.js'],
      "  it('is empty'",
      "  it('more', () => {\n    assert.strictEqual(total([4]), 4)\n  })\n  it('is empty'",
    ),
  ),
  one(
    'a test inside: unittest',
    edit(
      'tests/unit/cart_test.py',
      suites['tests/unit/cart_test.py'],
      '    def test_empty',
      '    def test_more(self):\n        self.assertEqual(total([4]), 4)\n\n    def test_empty',
    ),
  ),
  one(
    'a test inside a module of Rust',
    edit(
      'src/cart.rs',
      suites['src/cart.rs'],
      '    #[test]\n    fn is_empty',
      '    #[test]\n    fn more() {\n        assert_eq!(total(&[4]), 4);\n    }\n\n    #[test]\n    fn is_empty',
    ),
  ),
  one(
    'a test that loops over cases',
    append(
      'src/cart.test.ts',
      "\ntest('more', () => {\n  for (const n of [1, 2]) {\n    expect(total([n])).toBe(n)\n  }\n})\n",
    ),
  ),
  one(
    'a test with a condition',
    append(
      'tests/test_cart.py',
      '\n\ndef test_more():\n    for n in range(3):\n        if n:\n            assert total([n]) == n\n',
    ),
  ),
  one(
    'one more assertion in a test',
    edit('src/cart.test.ts', ts, '.toBe(3)', '.toBe(3)\n  expect(cart).toHaveLength(2)'),
  ),
  one(
    'one more case in a table',
    modified(
      'a.test.ts',
      'test.each([\n  [1, 2],\n  [2, 4]\n])("a", (a, b) => {\n  expect(twice(a)).toBe(b)\n})\n',
      'test.each([\n  [1, 2],\n  [2, 4],\n  [3, 6]\n])("a", (a, b) => {\n  expect(twice(a)).toBe(b)\n})\n',
    ),
  ),
  one(
    'one more parameter in Python',
    modified(
      'tests/test_a.py',
      '@pytest.mark.parametrize("n", [\n    1,\n])\ndef test_a(n):\n    assert f(n)\n',
      '@pytest.mark.parametrize("n", [\n    1,\n    2,\n])\ndef test_a(n):\n    assert f(n)\n',
    ),
  ),
  one(
    'an import in a test',
    edit(
      'src/cart.test.ts',
      ts,
      "import { total } from './cart.ts'",
      "import { total } from './cart.ts'\nimport { tax } from './tax.ts'",
    ),
  ),
  one('one more name in an import', edit('src/cart.test.ts', ts, '{ total }', '{ tax, total }')),
  one('one more name in an import of Python', edit('tests/test_cart.py', py, 'import total', 'import tax, total')),
  one('one more name in a require', edit('test/cart.js', suites['test/cart.js'], '{ total }', '{ total, tax }')),
  one('a test that waits now', edit('src/cart.test.ts', ts, "cart', () => {", "cart', async () => {")),
  one(
    'an assertion that waits now',
    edit(
      'src/cart.test.ts',
      ts,
      "  expect(() => total([-1])).toThrow('negative')",
      "  await expect(() => total([-1])).toThrow('negative')",
    ),
  ),
  one('a new suite', added('src/tax.test.ts', ts)),
  one(
    'a new suite that leaves one for later',
    added('src/tax.test.ts', "test.todo('rounds')\ntest('a', () => {\n  expect(1).toBe(1)\n})\n"),
  ),
  one(
    'a new suite about programs that leave',
    added('test/cli.test.ts', "test('leaves', () => {\n  write('a.js', 'process.exit(0)')\n})\n"),
  ),
  one('a suite that lies elsewhere', deleted('tests/test_cart.py', py), added('tests/unit/test_cart.py', py)),
  one('a suite with another name', deleted('src/cart.test.ts', ts), added('src/basket.test.ts', ts)),
  one(
    'a suite that lies elsewhere and grew',
    deleted('tests/test_cart.py', py),
    added('tests/unit/test_cart.py', `${py}\n\ndef test_more():\n    assert total([4]) == 4\n`),
  ),
  one('a suite in TypeScript now', deleted('src/a.test.js', ts), added('src/a.test.ts', ts)),
  one(
    'a test that moved to another suite',
    edit('src/cart.test.ts', ts, ts.slice(ts.indexOf("test('takes")), ''),
    added('src/discount.test.ts', ts.slice(ts.indexOf("test('takes"))),
  ),
  one(
    'tests in another order',
    modified(
      'src/cart.test.ts',
      ts,
      ts.slice(0, ts.indexOf("test('adds")) +
        ts.slice(ts.indexOf("test('takes")) +
        ts.slice(ts.indexOf("test('adds"), ts.indexOf("test('takes")),
    ),
  ),
  one(
    'a group around tests',
    modified('src/cart.test.ts', ts, `${ts.replace("test('adds", "describe('cart', () => {\ntest('adds")}})\n`),
  ),
  one('indented otherwise', modified('src/cart.test.ts', ts, ts.replaceAll('  ', '\t'))),
  one(
    'wrapped otherwise',
    edit(
      'src/cart.test.ts',
      ts,
      'expect(total([10], 0.5)).toBeCloseTo(5, 3)',
      'expect(\n    total([10], 0.5),\n  ).toBeCloseTo(5, 3)',
    ),
  ),
  one('semicolons and quotes', modified('src/cart.test.ts', ts, ts.replaceAll("'", '"').replaceAll(')\n', ');\n'))),
  one('lines end otherwise', modified('tests/test_cart.py', py, py.replaceAll('\n', '\r\n'))),
  one('blank lines', modified('tests/test_cart.py', py, py.replaceAll('\n\n', '\n\n\n'))),
  one('a comment in a test', edit('tests/test_cart.py', py, '    cart = ', '    # three in all\n    cart = ')),
  one('a comment that is gone', modified('a.test.ts', '// old\ntest()\n', 'test()\n')),
  one(
    'a comment that says skip',
    edit('src/cart.test.ts', ts, '  const cart', '  // we do not it.skip this\n  const cart'),
  ),
  one(
    'a title that says skip',
    append('src/cart.test.ts', "\ntest('it.skip is refused', () => {\n  expect(skip('x')).toBe(1)\n})\n"),
  ),
  one(
    'a test that uses skip of a list',
    append('src/cart.test.ts', "\ntest('pages', () => {\n  expect(rows.skip(5).only).toBe(1)\n})\n"),
  ),
  one(
    'a test that is written to its end',
    modified('a.test.ts', "test('a', () => {\n  run()\n})\n", "test('a', () => {\n  run()\n  expect(1).toBe(1)\n})\n"),
  ),
  one('a new snapshot', added('src/__snapshots__/a.snap', 'exports[`a 1`] = `1`;\n')),
  one(
    'one more snapshot',
    modified('src/__snapshots__/a.snap', 'exports[`a 1`] = `1`;\n', 'exports[`a 1`] = `1`;\n\nexports[`b 1`] = `2`;\n'),
  ),
  one('a new fixture', added('tests/fixtures/b.json', '{}\n')),
  one('one more row of a fixture', modified('tests/fixtures/b.json', '[\n  1\n]\n', '[\n  1,\n  2\n]\n')),
  one(
    'a fixture function',
    modified('tests/conftest.py', conftest, `${conftest}\n\n@pytest.fixture\ndef tax():\n    return 0.2\n`),
  ),
  one('a new conftest', added('tests/conftest.py', conftest)),
  one(
    'one more helper',
    modified('test/helpers.ts', 'export const a = () => 1\n', 'export const a = () => 1\n\nexport const b = () => 2\n'),
  ),
  one('a new helper', added('test/helpers/cart.ts', 'export const cart = () => [1, 2]\n')),
  one(
    'source beside tests of Rust',
    edit('src/cart.rs', suites['src/cart.rs'], 'items.iter().sum()', 'items.iter().filter(|n| **n > 0).sum()'),
  ),
]

const sources: readonly Case[] = [
  one(
    'source that skips',
    modified(
      'src/list.ts',
      'export const a = 1\n',
      'export const skip = (list) => list.skip(1)\nif (pending) process.exit(0)\n',
    ),
  ),
  one('source that is deleted', deleted('src/old.ts', 'export const a = 1\n')),
  one('source with assertions', modified('src/assert.ts', 'assert(a)\n', 'check(a)\n')),
  one('source called latest', modified('src/latest.ts', 'expect(1)\n', 'x\n')),
  one('source called contest', modified('src/contest/rank.py', 'assert 1\n', 'pass\n')),
  one('the product that a command starts', modified('cli.js', 'a()\n', 'b()\n')),
  one('docs', modified('docs/testing.md', 'use it.skip\n', 'use // eslint-disable and @ts-ignore\n')),
  one('the readme', modified('README.md', 'a\n', 'npm test || true\n')),
  one('specifications in prose', modified('specs/cart.md', 'must\n', 'may\n')),
  one('a style of the editor', modified('.editorconfig', 'indent_size = 2\n', 'indent_size = 4\n')),
  one('what git ignores', modified('.gitignore', 'dist\n', 'dist\ncoverage\n')),
  one('line ends in git', added('.gitattributes', '* text=auto\n')),
  one('a container', modified('Dockerfile', 'RUN a\n', 'RUN b\n')),
  one('a lock file', modified('package-lock.json', '{"a":1}\n', '{"a":2}\n')),
  linted('source without suppressions', modified('src/a.ts', 'one\n', 'two // ignore the rest\n')),
  linted('a suppression that is gone', modified('src/a.ts', '// @ts-ignore\none\n', 'one\n')),
  linted('a suppression that stays', modified('src/a.ts', '// @ts-ignore\none\n', '// @ts-ignore\none\ntwo\n')),
  linted('a suppression in the docs', modified('docs/a.md', 'a\n', '// eslint-disable-next-line\n')),
  one('a suppression where nothing lints', modified('src/a.ts', 'one\n', '// @ts-ignore\none\n')),
]

const projects: readonly Case[] = [
  one(
    'a new dependency',
    edit('package.json', manifest, '"express": "5.0.0"', '"express": "5.0.0",\n    "zod": "4.0.0"'),
  ),
  one('a newer runner', edit('package.json', manifest, '^3.0.0', '^3.1.0')),
  one('a newer version', edit('package.json', manifest, '1.0.0', '1.1.0')),
  one('keywords', edit('package.json', manifest, '"name": "cart",', '"name": "cart",\n  "keywords": ["cart"],')),
  one('a new script', edit('package.json', manifest, '"start"', '"build": "tsc",\n    "start"')),
  one(
    'a new script called test:e2e',
    edit('package.json', manifest, '"start"', '"test:e2e": "playwright test",\n    "start"'),
  ),
  one('another way to start', edit('package.json', manifest, 'node server.js', 'node dist/server.js')),
  one('package.json indented otherwise', modified('package.json', manifest, JSON.stringify(JSON.parse(manifest)))),
  one(
    'a dependency from a folder',
    edit('package.json', manifest, '"express": "5.0.0"', '"express": "5.0.0",\n    "@cart/core": "file:../core"'),
  ),
  one('a first package.json', added('package.json', manifest)),
  one(
    'first tests',
    modified(
      'package.json',
      '{"scripts":{"test":"echo \\"Error: no test specified\\" && exit 1"}}',
      '{"scripts":{"test":"vitest run"}}',
    ),
  ),
  one(
    'an override of something else',
    edit('package.json', manifest, '"name"', '"overrides": { "semver": "7.0.0" },\n  "name"'),
  ),
  {
    name: 'a target that verification does not use',
    touched: [edit('Makefile', makefile, 'python -m cart', 'python -m cart --debug')],
    commands: ['make test'],
  },
  {
    name: 'a new target',
    touched: [modified('Makefile', makefile, `${makefile}\nbuild:\n\tpython -m build\n`)],
    commands: ['make test'],
  },
  {
    name: 'a new variable in a makefile',
    touched: [modified('Makefile', makefile, `PORT = 80\n${makefile}`)],
    commands: ['make test'],
  },
  one('a comment in a makefile', modified('Makefile', makefile, `# all of it\n${makefile}`)),
  one('a dependency of Python', edit('pyproject.toml', pyproject, '["flask"]', '["flask", "rich"]')),
  one(
    'a dependency of Rust',
    modified('Cargo.toml', '[dependencies]\nserde = "1"\n', '[dependencies]\nserde = "1"\nrand = "0.9"\n'),
  ),
  one(
    'a dependency of gradle',
    modified(
      'build.gradle',
      'dependencies {\n}\n',
      "dependencies {\n  testImplementation 'org.mockito:mockito-core:5'\n}\n",
    ),
  ),
  one(
    'a dependency of maven',
    modified(
      'pom.xml',
      pom,
      '<dependencies>\n<dependency>\n<artifactId>junit</artifactId>\n<scope>test</scope>\n</dependency>\n</dependencies>\n',
    ),
  ),
  one(
    'a plugin of vite',
    modified(
      'vite.config.ts',
      'export default {\n  plugins: [],\n  test: { globals: true },\n}\n',
      'export default {\n  plugins: [react()],\n  test: { globals: true },\n}\n',
    ),
  ),
  one('a first workflow', added('.github/workflows/ci.yml', 'on: push\n')),
  one('a comment in a workflow', modified('.github/workflows/ci.yml', 'on: push\n', '# all\non: push\n')),
  one('a first vitest config', added('vitest.config.ts', "export default { test: { environment: 'jsdom' } }\n")),
  one('a first eslint config', added('eslint.config.js', "export default [{ rules: { semi: 'error' } }]\n")),
  one('a first pytest.ini', added('pytest.ini', '[pytest]\ntestpaths = tests\n')),
  one('a first tsconfig', added('tsconfig.json', '{}\n')),
  one('another target of the compiler', edit('tsconfig.json', tsconfig, 'es2023', 'es2024')),
  one(
    'a stricter compiler',
    edit('tsconfig.json', tsconfig, '"strict": true', '"strict": true, "noUncheckedIndexedAccess": true'),
  ),
  one('a compiler that looks at more', edit('tsconfig.json', tsconfig, '["src"]', '["src", "test"]')),
  one('an exact version by default', added('.npmrc', 'save-exact=true\n')),
  {
    name: 'a script that verification does not start',
    touched: [modified('scripts/release.sh', 'a\n', 'b\n')],
    commands: ['./check.sh'],
  },
  {
    name: 'the product under verification',
    touched: [modified('cart.py', 'a\n', 'b\n')],
    commands: ['python cart.py --version'],
  },
]

export const honest: readonly Case[] = [...tests, ...sources, ...projects]
