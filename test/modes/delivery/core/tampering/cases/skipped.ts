import { added, type Case, edit, modified } from './case.ts'
import { type Suite, suites } from './suites.ts'

const rows: readonly (readonly [Suite, from: string, to: string])[] = [
  ['src/cart.test.ts', "test('adds", "test.skip('adds"],
  ['src/cart.test.ts', "test('adds", "test.only('adds"],
  ['src/cart.test.ts', "test('adds", "test.todo('adds"],
  ['src/cart.test.ts', "test('adds", "test.concurrent.skip('adds"],
  ['src/cart.test.ts', "test('adds", "xtest('adds"],
  ['src/cart.test.ts', "test('adds", "test.skipIf(true)('adds"],
  ['src/cart.test.ts', "test('adds", "test['skip']('adds"],
  ['src/cart.test.ts', "cart', () => {", "cart', { skip: true }, () => {"],
  ['src/cart.test.ts', "cart', () => {", "cart', (ctx) => {\n  ctx.skip()"],
  ['src/cart.test.ts', '  const cart', '  return\n  const cart'],
  ['src/cart.test.ts', '  const cart', '  process.exit(0)\n  const cart'],
  ['src/cart.test.ts', "import { total } from './cart.ts'", "import { total } from './cart.ts'\nprocess.exit(0)"],
  ['src/cart.test.ts', '  expect(total(cart))', '  // expect(total(cart))'],
  ['src/cart.test.ts', '  expect(total(cart))', '  if (false)\n  expect(total(cart))'],
  [
    'src/cart.test.ts',
    '  expect(total(cart)).toBe(3)',
    '  if (process.env.CI) {\n    expect(total(cart)).toBe(3)\n  }',
  ],
  ['src/cart.test.ts', "test('takes", "/*\ntest('takes"],
  ['src/cart.test.ts', "test('adds", "function unused() {\ntest('adds"],
  ['src/cart.test.ts', '  expect(total(cart)).toBe(3)', '  try {\n  expect(total(cart)).toBe(3)\n  } catch {}'],
  ['test/cart.js', "it('adds", "it.skip('adds"],
  ['test/cart.js', "it('adds", "xit('adds"],
  ['test/cart.js', "it('adds", "fit('adds"],
  ['test/cart.js', "describe('cart", "describe.skip('cart"],
  ['test/cart.js', "describe('cart", "xdescribe('cart"],
  ['test/cart.js', "adds', () => {", "adds', function () {\n    this.skip()"],
  ['tests/test_cart.py', 'def test_adds', '@pytest.mark.skip\ndef test_adds'],
  ['tests/test_cart.py', 'def test_adds', '@pytest.mark.skip(reason="flaky")\ndef test_adds'],
  ['tests/test_cart.py', 'def test_adds', '@pytest.mark.xfail\ndef test_adds'],
  ['tests/test_cart.py', 'def test_adds', '@pytest.mark.skipif(True, reason="")\ndef test_adds'],
  ['tests/test_cart.py', '    cart = ', '    pytest.skip("later")\n    cart = '],
  ['tests/test_cart.py', '    cart = ', '    return\n    cart = '],
  ['tests/test_cart.py', 'from cart import total', 'from cart import total\n\npytestmark = pytest.mark.skip'],
  ['tests/test_cart.py', 'from cart import total', 'from cart import total\nimport os\nos._exit(0)'],
  ['tests/test_cart.py', 'from cart import total', 'from cart import total\nimport sys\nsys.exit(0)'],
  ['tests/test_cart.py', '    assert total(cart)', '    # assert total(cart)'],
  ['tests/test_cart.py', 'def test_discount', '"""\ndef test_discount'],
  ['tests/test_cart.py', '    assert total(cart) == 3', '    if False:\n        assert total(cart) == 3'],
  ['tests/unit/cart_test.py', '    def test_adds', '    @unittest.skip("later")\n    def test_adds'],
  ['tests/unit/cart_test.py', '    def test_adds', '    @unittest.expectedFailure\n    def test_adds'],
  [
    'tests/unit/cart_test.py',
    '        self.assertEqual(total([1',
    '        self.skipTest("x")\n        self.assertEqual(total([1',
  ],
  ['cart/cart_test.go', '	got :=', '	t.Skip("later")\n	got :='],
  ['cart/cart_test.go', '	got :=', '	t.SkipNow()\n	got :='],
  ['cart/cart_test.go', '	got :=', '	return\n	got :='],
  ['cart/cart_test.go', 'package cart', '//go:build ignore\n\npackage cart'],
  ['src/cart.rs', '    fn adds', '    #[ignore]\n    fn adds'],
  ['src/cart.rs', '        assert_eq!(total(&[1', '        // assert_eq!(total(&[1'],
  ['tests/cart.rs', 'fn adds', '#[ignore = "slow"]\nfn adds'],
  ['src/test/java/CartTest.java', '  void adds', '  @Disabled\n  void adds'],
  ['src/test/java/CartTest.java', '  void adds', '  @Ignore("later")\n  void adds'],
  ['src/test/java/CartTest.java', '    assertEquals', '    assumeTrue(false);\n    assertEquals'],
  ['src/test/kotlin/CartTest.kt', '  fun `adds', '  @Disabled("later")\n  fun `adds'],
  ['spec/cart_spec.rb', "it 'adds'", "xit 'adds'"],
  ['spec/cart_spec.rb', "it 'adds' do", "it 'adds' do\n    pending 'later'"],
  ['spec/cart_spec.rb', "it 'adds' do", "it 'adds', skip: true do"],
  ['spec/cart_spec.rb', "it 'adds' do", "it 'adds', :focus do"],
  [
    'tests/CartTest.php',
    '        $this->assertSame(3',
    '        $this->markTestSkipped();\n        $this->assertSame(3',
  ],
  ['Cart.Tests/CartTests.cs', '[Fact]', '[Fact(Skip = "later")]'],
  ['Cart.Tests/CartTests.cs', '        Assert.Equal(3', '        return;\n        Assert.Equal(3'],
  [
    'Tests/CartTests/CartTests.swift',
    '        XCTAssertEqual(total([1',
    '        throw XCTSkip("later")\n        XCTAssertEqual(total([1',
  ],
  ['test/cart_test.exs', '  test "adds"', '  @tag :skip\n  test "adds"'],
  ['test/cart_test.exs', '  test "adds"', '  @tag skip: "later"\n  test "adds"'],
  ['test/cart.bats', '  run ./cart 1 2', '  skip "later"\n  run ./cart 1 2'],
]

const moved = `import pytest

@pytest.mark.skip
def test_slow():
    assert wait() == 1

def test_fast():
    assert go() == 1
`

export const skipped: readonly Case[] = [
  ...rows.map(([path, from, to]) => ({
    name: `${path}: ${from} → ${to}`,
    touched: [edit(path, suites[path], from, to)],
  })),
  {
    name: 'a block comment around a test',
    touched: [
      modified(
        'a.test.js',
        'test("a", () => {\n  expect(a).toBe(1)\n})\nlast()\n',
        '/*\ntest("a", () => {\n  expect(a).toBe(1)\n})\n*/\nlast()\n',
      ),
    ],
  },
  {
    name: 'a mark that moves to another test',
    touched: [
      modified(
        'tests/test_a.py',
        moved,
        moved.replace('@pytest.mark.skip\n', '').replace('def test_fast', '@pytest.mark.skip\ndef test_fast'),
      ),
    ],
  },
  {
    name: 'a new file that lets only itself run',
    touched: [added('test/new.spec.js', "describe.only('new', () => { it('a', () => {}) })\n")],
  },
  {
    name: 'a new file that ends the run',
    touched: [added('tests/test_zz.py', 'import os\n\ndef test_last():\n    os._exit(0)\n')],
  },
  {
    name: 'a new TestMain that leaves',
    touched: [added('cart/main_test.go', 'package cart\n\nfunc TestMain(m *testing.M) {\n\tos.Exit(0)\n}\n')],
  },
]
