import { expect, test } from 'vitest'
import { areRenamed, type Changed } from '../../../../../src/modes/delivery/core/evidence/renames.ts'

const changed = (path: string, before?: string, after?: string): Changed => ({ path, before, after })
const product = [
  changed('src/cart.js', 'export function total(cart) {}', undefined),
  changed('src/basket.js', undefined, 'export function sum(basket) {}'),
]
const testOf = (name: string, file: string, more = `assert.equal(${name}([2, 3]), 5)`) =>
  `import assert from 'node:assert'\nimport { ${name} } from '../src/${file}.js'\ntest('${name} of two', () => {\n  ${more}\n})\n`
const before = testOf('total', 'cart')

test.each<[string, boolean, readonly Changed[]]>([
  ['only names', true, [changed('test/cart.test.js', before, testOf('sum', 'basket'))]],
  [
    'the test has moved, too',
    true,
    [
      changed('test/cart.test.js', before),
      changed('test/unit/basket.test.js', undefined, testOf('sum', 'basket').replace('../', '../../')),
    ],
  ],
  [
    'another value',
    false,
    [changed('test/cart.test.js', before, testOf('sum', 'basket', 'assert.equal(sum([2, 3]), 6)'))],
  ],
  [
    'another assertion',
    false,
    [changed('test/cart.test.js', before, testOf('sum', 'basket', 'assert.notEqual(sum([2, 3]), 5)'))],
  ],
  [
    'another operator',
    false,
    [changed('test/cart.test.js', before.replace('=> {', '=== {'), testOf('sum', 'basket').replace('=> {', '!== {'))],
  ],
  ['one less', false, [changed('test/cart.test.js', before, testOf('sum', 'basket', ''))]],
  ['skipped', false, [changed('test/cart.test.js', before, testOf('sum', 'basket').replace('test(', 'test.skip('))]],
  [
    'a name that is still there',
    false,
    [changed('test/a.test.js', before, testOf('sum', 'basket')), changed('test/b.test.js', 'other(1)', 'sum(1)')],
  ],
  ['two new names for one', false, [changed('test/a.test.js', 'total(1); total(2)', 'sum(1); basket(2)')]],
  [
    'other tools',
    false,
    [changed('test/cart.test.js', before, testOf('sum', 'basket').replace('node:assert', '../src/basket.js'))],
  ],
  [
    'a new test beside them',
    false,
    [changed('test/cart.test.js', before, testOf('sum', 'basket')), changed('test/conftest.js', undefined, 'sum()')],
  ],
  ['a deleted one', false, [changed('test/cart.test.js', before)]],
  ['data', false, [changed('test/cart.json', '["total"]', '["sum"]')]],
])('%s: %s', (_name, expected, checks) => {
  expect(areRenamed(checks, product)).toBe(expected)
})

const moved = [
  changed('src/money.js', 'export const format = 1'),
  changed('src/format/money.js', undefined, 'export const format = 1'),
]
test.each<[string, boolean, string, string]>([
  ['a module has moved', true, '../src/money.js', '../src/format/money.js'],
  ['a module that was there before', false, '../src/money.js', '../src/lenient/money.js'],
  ['a module that is still there', false, '../src/cart.js', '../src/format/money.js'],
])('%s', (_name, expected, from, to) => {
  const asking = (path: string) => `import { format } from '${path}'\nassert.equal(format(1), '1')\n`
  expect(areRenamed([changed('test/a.test.js', asking(from), asking(to))], moved)).toBe(expected)
})

test('a module of Python has moved, and a message has the new name', () => {
  const product = [
    changed('kit/roman.py', 'def digits(n): ...'),
    changed('kit/numbers/roman.py', undefined, 'def roman(n): ...'),
  ]
  const [was, is] = [
    'from kit.roman import digits\n\ndef test_digits():\n    assert digits(4) == "IV", "digits of 4"\n',
    'from kit.numbers.roman import roman\n\ndef test_roman():\n    assert roman(4) == "IV", "roman of 4"\n',
  ]
  const areSame = (after: string) => areRenamed([changed('tests/test_roman.py', was, after)], product)
  expect(areSame(is)).toBe(true)
  expect(areSame(is.replace('"IV"', '"VI"'))).toBe(false)
  expect(areSame(is.replace('"IV"', '"roman"'))).toBe(false)
})

test('a word that the product still has is no old name', () => {
  const kept = [...product, changed('src/index.js', 'export * from "./cart.js"', 'export const total = sum')]
  expect(areRenamed([changed('test/cart.test.js', before, testOf('sum', 'basket'))], kept)).toBe(false)
})
