import { type Case, edit } from './case.ts'
import { type Suite, suites } from './suites.ts'

const rows: readonly (readonly [Suite, from: string, to: string])[] = [
  ['src/cart.test.ts', '.toBe(3)', '.toBeDefined()'],
  ['src/cart.test.ts', '.toBe(3)', '.toBe(4)'],
  ['src/cart.test.ts', '.toBe(3)', '.not.toBe(7)'],
  ['src/cart.test.ts', 'expect(total(cart)).toBe(3)', 'expect(true).toBe(true)'],
  ['src/cart.test.ts', 'toBeCloseTo(5, 3)', 'toBeCloseTo(5, 0)'],
  ['src/cart.test.ts', "  expect(() => total([-1])).toThrow('negative')\n", ''],
  ['src/cart.test.ts', ".toThrow('negative')", '.toBeTruthy()'],
  ['src/cart.test.ts', "toThrow('negative')", 'toThrow()'],
  ['test/cart.js', 'assert.strictEqual(total([1, 2]), 3)', 'assert.ok(total([1, 2]))'],
  ['test/cart.js', 'await assert.rejects', 'assert.rejects'],
  ['tests/test_cart.py', 'assert total(cart) == 3', 'assert True'],
  ['tests/test_cart.py', 'assert total(cart) == 3', 'assert total(cart)'],
  ['tests/test_cart.py', 'abs=0.001', 'abs=10'],
  ['tests/test_cart.py', '    with pytest.raises(ValueError):\n        total([-1])\n', ''],
  ['tests/test_cart.py', 'raises(ValueError)', 'raises(Exception)'],
  ['tests/unit/cart_test.py', 'assertEqual(total([1, 2]), 3)', 'assertIsNotNone(total([1, 2]))'],
  ['cart/cart_test.go', 't.Errorf(', 't.Logf('],
  ['cart/cart_test.go', 'if got != 3 {', 'if got == 0 {'],
  ['cart/cart_test.go', 'require.Equal(t, 0, Total(nil))', 'require.NotNil(t, Total(nil))'],
  ['src/cart.rs', 'assert_eq!(total(&[1, 2]), 3)', 'assert!(total(&[1, 2]) > 0)'],
  ['src/cart.rs', '        assert_eq!(total(&[]), 0);\n', ''],
  ['tests/cart.rs', ', 3)', ', 4)'],
  [
    'src/test/java/CartTest.java',
    'assertEquals(3, Cart.total(List.of(1, 2)))',
    'assertNotNull(Cart.total(List.of(1, 2)))',
  ],
  ['src/test/kotlin/CartTest.kt', 'shouldBe 0', 'shouldNotBe null'],
  ['spec/cart_spec.rb', 'to eq(3)', 'to be_truthy'],
  ['tests/CartTest.php', '$this->assertSame(3, total([1, 2]))', '$this->assertTrue(true)'],
  ['Cart.Tests/CartTests.cs', 'Assert.Equal(3, Cart.Total(1, 2))', 'Assert.NotNull(Cart.Total(1, 2))'],
  ['Tests/CartTests/CartTests.swift', 'XCTAssertEqual(total([1, 2]), 3)', 'XCTAssertNotNil(total([1, 2]))'],
  ['test/cart_test.exs', 'assert Cart.total([1, 2]) == 3', 'assert Cart.total([1, 2])'],
  ['src/cart.test.ts', 'expect(total(cart))', 'expect(total(cart) || 3)'],
  ['src/cart.test.ts', "test('adds", "const expect = () => anything\ntest('adds"],
  ['src/cart.test.ts', "test('adds", "vi.mock('./cart.ts', () => ({ total: () => 3 }))\ntest('adds"],
  ['tests/test_cart.py', 'def test_adds', "@patch('cart.total', return_value=3)\ndef test_adds"],
  ['test/cart.bats', '[ "$output" = 3 ]', '[ -n "$output" ]'],
]

export const weakened: readonly Case[] = rows.map(([path, from, to]) => ({
  name: `${path}: ${from} → ${to || 'nothing'}`,
  touched: [edit(path, suites[path], from, to)],
}))
