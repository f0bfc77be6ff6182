import { added, type Case, deleted, edit, modified, one } from './case.ts'
import { type Suite, suites } from './suites.ts'

const append = (path: Suite, more: string) => modified(path, suites[path], suites[path] + more)
const ts = suites['src/cart.test.ts']
const py = suites['tests/test_cart.py']
const conftest = 'import pytest\n\n\n@pytest.fixture\ndef cart():\n    return [1, 2]\n'

/** Tests that stay what they were. */
export const keptTests: readonly Case[] = [
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
  one(
    'an import that is wrapped now',
    edit('src/cart.test.ts', ts, "import { total } from './cart.ts'", "import {\n  tax,\n  total,\n} from './cart.ts'"),
  ),
  one(
    'a helper in a suite',
    edit('src/cart.test.ts', ts, "test('adds", "function build() {\n  return [1]\n}\n\ntest('adds"),
  ),
  one(
    'a step before each test',
    edit('src/cart.test.ts', ts, "test('adds", "beforeEach(() => {\n  reset()\n})\n\ntest('adds"),
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
