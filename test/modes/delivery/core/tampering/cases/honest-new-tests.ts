import { type Case, edit, modified, one } from './case.ts'
import { type Suite, suites } from './suites.ts'

const append = (path: Suite, more: string) => modified(path, suites[path], suites[path] + more)
const ts = suites['src/cart.test.ts']

/** Tests that are added to those there are. */
export const grownTests: readonly Case[] = [
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
]
