import { type Case, edit, modified } from './case.ts'
import { suites } from './suites.ts'

/** Tests that still run and still assert, but no longer the same. */
export const changed: readonly Case[] = [
  { name: 'the input of a test', touched: [edit('src/cart.test.ts', suites['src/cart.test.ts'], '[1, 2]', '[3]')] },
  {
    name: 'the input of a test in Python',
    touched: [edit('tests/test_cart.py', suites['tests/test_cart.py'], 'cart = [1, 2]', 'cart = [3]')],
  },
  {
    name: 'the module under test',
    touched: [edit('src/cart.test.ts', suites['src/cart.test.ts'], "'./cart.ts'", "'./fake-cart.ts'")],
  },
  {
    name: 'a stand-in under the name of the function',
    touched: [edit('src/cart.test.ts', suites['src/cart.test.ts'], '{ total }', '{ fake as total }')],
  },
  {
    name: 'a snapshot',
    touched: [modified('src/__snapshots__/cart.test.ts.snap', 'exports[`a 1`] = `1`;\n', 'exports[`a 1`] = `2`;\n')],
  },
  {
    name: 'an inline table of cases',
    touched: [
      modified(
        'a.test.ts',
        'test.each([\n  [1, 2],\n  [2, 4],\n])("a", (a, b) => {\n  expect(twice(a)).toBe(b)\n})\n',
        'test.each([\n  [1, 2],\n])("a", (a, b) => {\n  expect(twice(a)).toBe(b)\n})\n',
      ),
    ],
  },
  {
    name: 'an expected file',
    touched: [modified('tests/expected/out.json', '{\n  "total": 3\n}\n', '{\n  "total": 4\n}\n')],
  },
  { name: 'testdata of Go', touched: [modified('cart/testdata/out.golden', '3\n', '4\n')] },
  {
    name: 'a picture that is compared',
    touched: [{ path: 'tests/shots/a.png', status: 'modified', before: undefined, after: undefined }],
  },
]
