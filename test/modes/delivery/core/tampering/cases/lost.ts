import { added, type Case, deleted, edit } from './case.ts'
import { type Suite, suites } from './suites.ts'

const files: readonly Suite[] = Object.keys(suites).filter((path) => path !== 'src/cart.rs') as Suite[]
const halves: readonly (readonly [Suite, from: string])[] = [
  ['src/cart.test.ts', suites['src/cart.test.ts'].slice(suites['src/cart.test.ts'].indexOf("test('takes"))],
  ['tests/test_cart.py', suites['tests/test_cart.py'].slice(suites['tests/test_cart.py'].indexOf('def test_discount'))],
  ['src/cart.rs', '    #[test]\n    fn is_empty() {\n        assert_eq!(total(&[]), 0);\n    }\n'],
  ['cart/cart_test.go', 'func TestEmpty(t *testing.T) {\n\trequire.Equal(t, 0, Total(nil))\n}\n'],
  [
    'src/test/java/CartTest.java',
    '  @Test\n  void isEmpty() {\n    assertThat(Cart.total(List.of())).isZero();\n  }\n',
  ],
]

export const lost: readonly Case[] = [
  ...files.map((path) => ({ name: `${path} is deleted`, touched: [deleted(path, suites[path])] })),
  ...halves.map(([path, from]) => ({ name: `${path} loses a test`, touched: [edit(path, suites[path], from, '')] })),
  {
    name: 'all tests in a module are gone',
    touched: [
      edit(
        'src/cart.rs',
        suites['src/cart.rs'],
        suites['src/cart.rs'].slice(suites['src/cart.rs'].indexOf('#[cfg')),
        '',
      ),
    ],
  },
  {
    name: 'a test no runner finds any more',
    touched: [
      deleted('tests/test_cart.py', 'def test_a(): pass\n'),
      added('tests/old_cart.py', 'def test_a(): pass\n'),
    ],
  },
  {
    name: 'a test that lies in an archive',
    touched: [
      deleted('tests/test_cart.py', 'def test_a(): pass\n'),
      added('archive/test_cart.py', 'def test_a(): pass\n'),
    ],
  },
  { name: 'a test set aside', touched: [deleted('src/a.test.ts', 'test()\n'), added('src/a.test.ts.bak', 'test()\n')] },
  {
    name: 'a test that lost its attribute',
    touched: [edit('tests/cart.rs', suites['tests/cart.rs'], '#[test]\nfn adds', 'fn adds')],
  },
  {
    name: 'a test with another name than the runner looks for',
    touched: [edit('tests/test_cart.py', suites['tests/test_cart.py'], 'def test_adds', 'def _test_adds')],
  },
  {
    name: 'a snapshot is deleted',
    touched: [deleted('src/__snapshots__/cart.test.ts.snap', 'exports[`a 1`] = `1`;\n')],
  },
  { name: 'a fixture is deleted', touched: [deleted('tests/fixtures/cart.json', '{}\n')] },
]
