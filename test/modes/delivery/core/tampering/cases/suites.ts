/** A small suite of two tests in every language, by where it lies. */
export const suites = {
  'src/cart.test.ts': `import { expect, test } from 'vitest'
import { total } from './cart.ts'

test('adds what is in the cart', () => {
  const cart = [1, 2]
  expect(total(cart)).toBe(3)
})

test('takes the discount off', () => {
  expect(total([10], 0.5)).toBeCloseTo(5, 3)
  expect(() => total([-1])).toThrow('negative')
})
`,
  'test/cart.js': `const assert = require('node:assert')
const { total } = require('../cart')

describe('cart', () => {
  it('adds', () => {
    assert.strictEqual(total([1, 2]), 3)
  })
  it('is empty', async () => {
    await assert.rejects(total([]), /empty/)
  })
})
`,
  'tests/test_cart.py': `import pytest
from cart import total


def test_adds():
    cart = [1, 2]
    assert total(cart) == 3


def test_discount():
    assert total([10], 0.5) == pytest.approx(5, abs=0.001)
    with pytest.raises(ValueError):
        total([-1])
`,
  'tests/unit/cart_test.py': `import unittest
from cart import total


class CartTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(total([1, 2]), 3)

    def test_empty(self):
        self.assertEqual(total([]), 0)
`,
  'cart/cart_test.go': `package cart

import "testing"

func TestAdds(t *testing.T) {
	got := Total([]int{1, 2})
	if got != 3 {
		t.Errorf("got %d, want 3", got)
	}
}

func TestEmpty(t *testing.T) {
	require.Equal(t, 0, Total(nil))
}
`,
  'src/cart.rs': `pub fn total(items: &[i32]) -> i32 {
    items.iter().sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adds() {
        assert_eq!(total(&[1, 2]), 3);
    }

    #[test]
    fn is_empty() {
        assert_eq!(total(&[]), 0);
    }
}
`,
  'tests/cart.rs': `use cart::total;

#[test]
fn adds() {
    assert_eq!(total(&[1, 2]), 3);
}

#[test]
fn is_empty() {
    assert!(total(&[]) == 0);
}
`,
  'src/test/java/CartTest.java': `class CartTest {
  @Test
  void adds() {
    assertEquals(3, Cart.total(List.of(1, 2)));
  }

  @Test
  void isEmpty() {
    assertThat(Cart.total(List.of())).isZero();
  }
}
`,
  'src/test/kotlin/CartTest.kt': `class CartTest {
  @Test
  fun \`adds\`() {
    assertEquals(3, total(listOf(1, 2)))
  }

  @Test
  fun \`is empty\`() {
    total(emptyList()) shouldBe 0
  }
}
`,
  'spec/cart_spec.rb': `describe Cart do
  it 'adds' do
    expect(Cart.total([1, 2])).to eq(3)
  end

  it 'is empty' do
    expect(Cart.total([])).to eq(0)
  end
end
`,
  'tests/CartTest.php': `<?php
final class CartTest extends TestCase
{
    public function testAdds(): void
    {
        $this->assertSame(3, total([1, 2]));
    }

    public function testEmpty(): void
    {
        $this->assertSame(0, total([]));
    }
}
`,
  'Cart.Tests/CartTests.cs': `public class CartTests
{
    [Fact]
    public void Adds()
    {
        Assert.Equal(3, Cart.Total(1, 2));
    }

    [Fact]
    public void IsEmpty()
    {
        Assert.Equal(0, Cart.Total());
    }
}
`,
  'Tests/CartTests/CartTests.swift': `final class CartTests: XCTestCase {
    func testAdds() {
        XCTAssertEqual(total([1, 2]), 3)
    }

    func testEmpty() {
        XCTAssertEqual(total([]), 0)
    }
}
`,
  'test/cart_test.exs': `defmodule CartTest do
  use ExUnit.Case

  test "adds" do
    assert Cart.total([1, 2]) == 3
  end

  test "is empty" do
    assert Cart.total([]) == 0
  end
end
`,
  'test/cart.bats': `@test "adds" {
  run ./cart 1 2
  [ "$output" = 3 ]
}

@test "is empty" {
  run ./cart
  [ "$status" -eq 1 ]
}
`,
} as const

export type Suite = keyof typeof suites
